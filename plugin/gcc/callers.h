/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callers: facts that follow from a function to its callers: which functions of this unit
   always return, which never recurse, and from which ones control may come to something
   that a module looks for.  The facts are kept by DECL_UID.  */

#ifndef CCPROF_CALLERS_H
#define CCPROF_CALLERS_H

/* The DECL_UID of the function as the source has it: a constructor's bodies are one.  */
inline unsigned callers_uid(tree function)
{
    return DECL_UID(DECL_ORIGIN(function));
}

/* The functions of a unit with their FACTS, which start as all zero, and who calls each
   of them.  */
template <typename facts> class callers
{
  public:
    struct function : facts {
        bool known;              // its body was seen
        auto_vec<unsigned> from; // its callers
    };
    typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, function *> map;

    /* Returns NULL if nothing is known of the function.  */
    function *find(unsigned uid)
    {
        function **found = functions.get(uid);
        return found ? *found : NULL;
    }

    function *put(unsigned uid)
    {
        bool there;
        function *&slot = functions.get_or_insert(uid, &there);
        if (!there)
            slot = new function();
        return slot;
    }

    void put_call(unsigned caller, unsigned callee)
    {
        put(callee)->from.safe_push(caller);
    }

    map functions;
};

/* The functions from which control may come to something.  A caller may come to what its
   callee may come to; a function whose body was not seen may come to anything.  */
class reach
{
  public:
    /* The body was seen; MAY: control comes to it there.  If a UID has several bodies,
       one is enough.  All are noted before the first question.  */
    void note(unsigned uid, bool may);

    /* Only for a caller that is noted.  */
    void note_call(unsigned caller, unsigned callee);

    bool may(unsigned uid);

  private:
    struct facts {
        bool may;
    };
    typedef callers<facts> map;

    void propagate(void);

    map functions;
    bool is_propagated;
};

/* Whether another function of that name, which may do something else, may replace it when
   the program is linked or loaded; false for templates and inline functions.  */
bool reach_is_replaceable(tree function);

/* The functions that always return when they are called: nothing that such a function
   does or calls can end the program, throw, or jump out of it.  returns_note looks at the
   current function; it must have seen all of the unit before the first question.  */
void returns_note(void);
bool returns_always(tree function);

/* The functions that never stand twice on a stack: all that such a function calls,
   directly or not, is known and never comes back to it.  recursion_note looks at the
   current function; it must have seen all of the unit before the first question.  False
   for a function that it has not seen.  */
void recursion_note(void);
bool recursion_is_impossible(tree function);

#endif
