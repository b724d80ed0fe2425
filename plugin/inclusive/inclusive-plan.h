/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive-plan: plans what is entered at each point of the current function, for the
   pass.  inclusive_find_points says what the statements want, once; inclusive_plan says
   what is entered where each block starts and ends, for each start of the function that
   is tried.  The pass owns the blocks.  What a block ends with follows from what it
   starts with and its points; what it starts with may be anything, as far as being right
   goes, since code on the edges makes up for differences: except where no code can stand
   on an edge, there it is what all that come in have.  */

#ifndef CCPROF_INCLUSIVE_PLAN_H
#define CCPROF_INCLUSIVE_PLAN_H

#include "plugin/inclusive/inclusive-lists.h"

/* What a statement wants of what the function has entered there.  */
enum inclusive_point_kind {
    INCLUSIVE_ADD,     /* no more than the list; then something is added */
    INCLUSIVE_EXACT,   /* the list */
    INCLUSIVE_BEHIND,  /* has the list, where what a call may have left is cut off */
    INCLUSIVE_NO_MORE, /* than the list */
    INCLUSIVE_CALLED,  /* no more than the list; then FUNCTION is entered, whatever there
                          is */
};

struct inclusive_point {
    enum inclusive_point_kind kind;
    gimple *statement; /* of BEHIND: the call */
    struct inclusive_list *list;
    tree function; /* of CALLED */
};

/* The points of a basic block, in order; where control comes in from elsewhere, so that
   what was entered must be cut back; and what inclusive_plan has found to be entered
   where the block starts and ends.  */
struct inclusive_block {
    auto_vec<inclusive_point> points;
    bool lands;     /* by an exception */
    bool receives;  /* by a longjmp or a non-local goto: nothing is entered */
    bool cuts;      /* and there it is to be cut back */
    bool is_target; /* of a jump to an address */
    struct inclusive_list *start, *end;
};

/* By the numbers of basic blocks; freed by delete[].  From now on the first block is
   empty, and behind calls that end a block there is a block of their own.

   For a trace (the argument `trace') nothing is entered but by CALLED, at what counts the
   calls of each function, so that as many are told as are counted.  */
struct inclusive_block *inclusive_find_points(void);

/* Sets start and end of the BLOCKS, if ENTERED is entered as soon as the function
   begins.  */
void inclusive_plan(struct inclusive_block *blocks, struct inclusive_list *entered);

#endif
