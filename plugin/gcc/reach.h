/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reach: finds the functions of this unit from which control may come to something,
   for the modules that look for that something in each function's body: returns,
   inclusive-plan, alloc-path.  What a function may come to its callers may come to;
   a function that was not looked at may come to anything.  */

#ifndef CCPROF_REACH_H
#define CCPROF_REACH_H

#include "plugin/gcc/callers.h"

class reach
{
  public:
    /* The body was looked at; may: control comes to it there.  Of several bodies of one
       UID one is enough.  All are noted before the first question.  */
    void note(unsigned uid, bool may);

    /* Only of a caller that is noted.  */
    void note_call(unsigned caller, unsigned callee);

    bool may(unsigned uid);

  private:
    struct facts {
        bool may;
    };
    typedef callers<facts> map;

    void settle(void);

    map functions;
    bool settled;
};

/* Whether another of its name, which may do something else, may take its place when the
   program is linked or loaded; not so of templates and inline functions.  */
bool reach_is_replaceable(tree function);

#endif
