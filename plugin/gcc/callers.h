/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callers: keeps facts about the functions of a unit, by DECL_UID, and who calls each
   function, for the modules whose facts follow from a function to its callers (reach,
   recursion).  FACTS start as all zero.  */

#ifndef CCPROF_CALLERS_H
#define CCPROF_CALLERS_H

/* The DECL_UID of the function as the source has it: a constructor's bodies are one.  */
inline unsigned callers_uid(tree function)
{
    return DECL_UID(DECL_ORIGIN(function));
}

template <typename facts> class callers
{
  public:
    struct function : facts {
        bool known;              // it was looked at
        auto_vec<unsigned> from; // who calls it
    };
    typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, function *> map;

    /* NULL: nothing.  */
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

#endif
