/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counter: makes counters and the statements that add to them, for count.cc, flow.h and
   plugin/train.  A counter is a static variable.  Its context is the function that it
   counts, and its name says what it counts.  So it describes itself, as a marker does,
   and survives LTO streaming.  storage.h says what becomes of it when optimisation is
   over.

   If condense.h decides where counters are put (options_marks_counts), the variables are
   only *marks*: they say what must be counted, and are replaced later.  */

#ifndef CCPROF_COUNTER_H
#define CCPROF_COUNTER_H

/* In plugin_init, before the first counter.  */
void counter_register(const char *plugin);

/* Whether the function's executions are counted: the function is not excluded.  */
bool counter_wants(tree function);

/* Makes a counter of the current function's calls.  */
tree counter_make(void);

/* Makes a counter of an edge of the current function's flow graph, and of its calls if
   CALLS.  */
tree counter_make_for_edge(uint64_t flow, unsigned number, bool calls);

/* Makes a mark that replaces several marks (condense.h): it counts nothing itself.  */
tree counter_make_joined(void);

/* Whether the VAR_DECL is a counter.  */
bool counter_is(const_tree variable);

/* What a counter counts: calls of its function, an edge of its flow graph, or both.  */
struct counter_of {
    bool calls, edge;
    uint64_t flow; /* the flow graph's id */
    unsigned number;
};
struct counter_of counter_counts(const_tree counter);

/* Returns statements that add 1 to the counter.  They get LOCATION and its block, so that
   their cost is charged to that position and copy.  If LOCATION is unknown, they get the
   function's own.  */
gimple_seq counter_add_one(tree counter, location_t location);

/* Likewise, returns statements that add AMOUNT, of the counter's type.  */
gimple_seq counter_add(tree counter, tree amount, location_t location);

/* Returns a statement that defers counter_add_one: the optimisers see one statement that
   they cannot change.  counter_undefer, with an iterator at the statement, replaces it by
   the addition.  The iterator is then at the first statement of the addition.  The
   optimisers do not know that the statement changes the counter, so in a function all
   additions to a counter are deferred, or none.  */
gimple_seq counter_defer_one(tree counter, location_t location);
bool counter_is_deferred(const gimple *statement);
void counter_undefer(gimple_stmt_iterator *gsi);

/* Returns what counter_add_one returns, or a mark.  */
gimple_seq counter_addition(tree counter, location_t location);

/* Returns the variable if the statement is a mark, otherwise NULL_TREE.  */
tree counter_marked(const gimple *statement);

void counter_remove_mark(gimple *statement);

#endif
