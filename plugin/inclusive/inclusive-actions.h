/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive-actions: finds what is to be done in the current function so that what is
   planned (inclusive-plan.h) is entered at each point, for the pass, which owns the list
   of these actions.  Nothing is done yet: the pass compares lists by what they cost, and
   inclusive-insert.cc makes code of one of them.  An action starts with what the one
   before it in the block has left entered, and each addition is in one sum or step.  */

#ifndef CCPROF_INCLUSIVE_ACTIONS_H
#define CCPROF_INCLUSIVE_ACTIONS_H

#include "plugin/inclusive/inclusive-add.h"
#include "plugin/inclusive/inclusive-plan.h"

enum inclusive_action_kind {
    INCLUSIVE_MOVE,  /* from what is entered to what shall be, before the statement */
    INCLUSIVE_LEAVE, /* the same behind the call STATEMENT, cut off what it has left, too
                      */
    INCLUSIVE_CHECK, /* cut off what the call STATEMENT may have left */
    INCLUSIVE_LAND,  /* where BB starts, cut back to TO */
    INCLUSIVE_SUM,   /* the additions, before the last of them; FROM is entered */
    INCLUSIVE_STEP, /* several of these in one: cut back to FROM if CUTS, leave what LEAST
                   lacks, add, enter TO; before STATEMENT, or behind it if IS_BEHIND, or
                   where BB starts */
};

struct inclusive_action {
    enum inclusive_action_kind kind;
    gimple *statement;
    basic_block bb;
    struct inclusive_list *from, *to;
    unsigned first, count; /* additions */
    int counter;           /* that counts the sum, -1: none */
    struct inclusive_list *least;
    bool cuts, is_behind;
};

/* What is to be done in the function, and on its edges, in an order that may be kept: the
   actions of a basic block follow each other, and an action refers to a range of the
   additions.  */
struct inclusive_actions {
    auto_vec<inclusive_action> actions;
    auto_vec<inclusive_addition> additions;
    auto_vec<std::pair<edge, inclusive_action>> edges;
    unsigned counters;
};

/* What is to be done for the BLOCKS as inclusive_plan has left them.  What is added in a
   block while nobody can look is one sum.  */
void inclusive_find_actions(struct inclusive_actions *actions,
                            const struct inclusive_block *blocks);

/* Makes steps of the actions: all that is done between two points of a block at which a
   handler, a callee or another function can look is one.  */
void inclusive_join_actions(struct inclusive_actions *actions);

/* Whether anything is entered or left, and not only added.  */
bool inclusive_actions_enter(const struct inclusive_actions *actions);

#endif
