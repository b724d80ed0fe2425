/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callers: finds properties of functions that depend on the functions they call: which
   functions of this unit always return, which never recurse, and which may lead to
   something that a module searches for (class reach). Passes of the rooms count,
   inclusive and alloc use it. Functions are identified by DECL_UID. */

#ifndef CCPROF_CALLGRAPH_H
#define CCPROF_CALLGRAPH_H

/* The DECL_UID of the function in the source. All bodies that GCC makes of a
   constructor have the same UID. */
inline unsigned callers_uid(tree function)
{
    return DECL_UID(DECL_ORIGIN(function));
}

/* The functions of a unit with their callers. FACTS are the properties of one
   function, all zero at first. */
template <typename facts> class callers
{
  public:
    struct function : facts {
        bool known;              // its body was read
        auto_vec<unsigned> from; // callers, by DECL_UID
    };
    typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, function *> map;

    /* Returns NULL if the function is not in the map. */
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

/* The functions that may reach something, directly or through their callees. The owner
   of the object decides what "something" is: an exit, an allocation. A function whose
   body was not read may reach anything. */
class reach
{
  public:
    /* Records a body of the function UID. MAY: the body itself may reach the thing
       that is searched for. If the function has several bodies, one such body is
       enough. Record all bodies before the first call of may. */
    void note(unsigned uid, bool may);

    /* Records a call. CALLER must have been recorded with note. */
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

/* Returns true if a function with the same name and another effect may replace
   FUNCTION when the program is linked or loaded. False for templates and inline
   functions. */
bool reach_is_replaceable(tree function);

/* Returns true if execution may end at the statement: it may end the program, throw, or
   jump out of the function. Does not look into the callee. */
bool returns_doubtfully(gimple *statement);

/* Functions that always return: nothing in the function or in its callees can end the
   program, throw, or jump out of the function. returns_note records the current
   function. Call it for all functions of the unit before the first call of
   returns_always. */
void returns_note(void);
bool returns_always(tree function);

/* Functions that never recurse: all functions that they call, directly or indirectly,
   are known and never call them again. recursion_note records the current function.
   Call it for all functions of the unit before the first call of
   recursion_is_impossible, which returns false for a function that was not recorded. */
void recursion_note(void);
bool recursion_is_impossible(tree function);

#endif
