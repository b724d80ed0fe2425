/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counter: makes counters, for count.cc and edges.cc, and tells what one counts.  A
   counter is a static variable whose context is the function that it counts, and whose
   name says what of it; so it describes itself, as a marker does, and survives LTO
   streaming.  What becomes of it when optimisation is over: storage.h.  */

#ifndef CCPROF_COUNTER_H
#define CCPROF_COUNTER_H

/* Before the first counter.  */
void counter_register(const char *plugin);

/* Whether what the function does is counted: the function is not excluded.  */
bool counter_wants(tree function);

/* A new counter of the current function's calls.  */
tree counter_make(void);

/* A new counter of an edge of the current function's flow, and of its calls if CALLS.  */
tree counter_make_for_edge(uint64_t flow, unsigned number, bool calls);

/* Whether the VAR_DECL is a counter; its context is the function that it counts.  */
bool counter_is(const_tree variable);

/* What a counter counts: calls of its function, an edge of its flow, or both.  */
struct counter_of {
    bool calls, edge;
    uint64_t flow; /* its id */
    unsigned number;
};
struct counter_of counter_counts(const_tree counter);

/* Statements that add 1 to the counter.  They have that location and its block, so that
   what they cost is charged there, and in the copy there; where it is unknown, the
   function's own location.  */
gimple_seq counter_add_one(tree counter, location_t location);

/* Statements that add AMOUNT, of the counter's type, likewise.  */
gimple_seq counter_add(tree counter, tree amount, location_t location);

/* counter_add_one, but the optimisers see one statement that they can do nothing about,
   until counter_undefer, with an iterator at it, has put the addition in its place:
   behind the last of them.  The iterator is then at the first statement of it.  They do
   not know that it changes the counter: in a function all additions to a counter are
   deferred, or none.  */
gimple_seq counter_defer_one(tree counter, location_t location);
bool counter_is_deferred(const gimple *statement);
void counter_undefer(gimple_stmt_iterator *gsi);

/* What counter_add_one gives, or a mark of the counter if condense.h is to decide where 1
   is added.  */
gimple_seq counter_addition(tree counter, location_t location);

/* The counter of which the statement is a mark, or NULL_TREE.  */
tree counter_marked(const gimple *statement);

void counter_remove_mark(gimple *statement);

/* What one mark stands for that is made of several (joined.h): it counts nothing itself.
 */
tree counter_make_joined(void);

#endif
