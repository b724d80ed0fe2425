/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive-add: knows the statements that add to inclusive counts, and puts one sum in
   the place of several of them, for the files of plugin/inclusive.  A statement that adds
   is the store of a counter of calls (counter.h), or one that inclusive_add (inclusive.h)
   has appended.  The calls that a basic block counts become one counter that counts the
   block, and the tables say whose calls those were; a source that never stands twice on a
   stack needs nothing else.  An addition is kept by whom it is handed to; its statements
   stay in the function until inclusive_replace_additions takes them out.  */

#ifndef CCPROF_INCLUSIVE_ADD_H
#define CCPROF_INCLUSIVE_ADD_H

struct inclusive_action;
struct inclusive_frame;
struct inclusive_list;

/* The counter of calls that the statement stores to; NULL_TREE if the statement stores to
   none.  */
tree inclusive_stored_counter(const gimple *stmt);

/* Whether inclusive_add has appended the statement.  */
bool inclusive_is_amount(const gimple *stmt);

/* Takes a statement out of the function.  */
void inclusive_remove(gimple *stmt);

/* What is added by the store STATEMENT in a local stack.  */
struct inclusive_addition {
    gimple *statement;
    tree counter; /* that the statement stores to; NULL_TREE: none */
    struct inclusive_list *list;
    bool is_number;
    unsigned HOST_WIDE_INT number; /* if the amount is one */
    bool fits; /* nothing else is added to, so that a counter that is added to once for
                  several of these can stand for it */
};

struct inclusive_addition inclusive_addition_of(gimple *statement,
                                                struct inclusive_list *list);

/* A sum, and what of it is for the pairs that are not entered.  */
struct inclusive_sum {
    unsigned HOST_WIDE_INT number; /* what is added, as far as it is one */
    tree amount;                   /* what else */
    auto_vec<std::pair<const struct inclusive_list *, unsigned HOST_WIDE_INT>> shares;
};

/* How many shares the sum of the action's additions would have.  */
unsigned inclusive_count_shares(const struct inclusive_action *action,
                                const vec<inclusive_addition> &additions);

/* The sum of the action's additions; the tables get to know what the action's counter
   counts.  TO gets statements that find the amount.  */
void inclusive_find_sum(struct inclusive_sum *sum, gimple_seq *to,
                        const struct inclusive_action *action,
                        const vec<inclusive_addition> &additions, unsigned row);

/* Appends the code of a sum that is made in line.  ROW is of storage.h.  */
void inclusive_append_sum(gimple_seq *to, const struct inclusive_sum *sum,
                          const struct inclusive_action *action,
                          const struct inclusive_frame *frame, unsigned row);

/* Takes out the additions that a sum stands for.  */
void inclusive_replace_additions(const struct inclusive_action *action,
                                 const vec<inclusive_addition> &additions);

#endif
