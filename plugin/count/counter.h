/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counter: makes counters and the statements that add to them. Used by the other
   modules of plugin/count, by plugin/train and by plugin/inclusive. A counter is a
   static variable. Its context is the function that it counts, and its name encodes the
   things that it counts. So a counter describes itself, like a marker, and survives LTO
   streaming. storage.h describes where it is stored after optimisation.

   If options_marks_counts is true, the variables are only *marks*: they show the places
   that must be counted, and condense.h replaces them later. */

#ifndef CCPROF_COUNTER_H
#define CCPROF_COUNTER_H

/* Call this in plugin_init, before the first counter is made. */
void counter_register(const char *plugin);

/* Returns true if the executions of FUNCTION are counted: the function is not
   excluded. */
bool counter_wants(tree function);

/* Makes a counter for the calls of the current function. */
tree counter_make(void);

/* Makes a counter for edge NUMBER of the flow graph FLOW of the current function. If
   CALLS is set, the counter also counts the function's calls. */
tree counter_make_for_edge(uint64_t flow, unsigned number, bool calls);

/* Makes a mark that replaces several marks (condense.h). The mark has no count of its
   own. */
tree counter_make_joined(void);

/* Returns true if the VAR_DECL is a counter or a mark. */
bool counter_is(const_tree variable);

/* What a counter counts: calls of its function, an edge of the function's flow graph,
   or both. */
struct counter_of {
    bool calls, edge;
    uint64_t flow; /* id of the flow graph */
    unsigned number;
};
struct counter_of counter_counts(const_tree counter);

/* Returns statements that add 1 to the counter. They get LOCATION and its block, so
   that their cost is charged to this position and copy. If LOCATION is unknown, they
   get the location of the function. */
gimple_seq counter_add_one(tree counter, location_t location);

/* Like counter_add_one, but adds AMOUNT, which must have the counter's type. */
gimple_seq counter_add(tree counter, tree amount, location_t location);

/* counter_defer_one returns one statement that the optimisers cannot change. Later,
   counter_undefer replaces this statement, at GSI, by an addition of 1, and moves GSI
   to the first statement of the addition. The optimisers do not know that the
   statement changes the counter. So in each function either all additions to a counter
   must be deferred, or none. */
gimple_seq counter_defer_one(tree counter, location_t location);
bool counter_is_deferred(const gimple *statement);
void counter_undefer(gimple_stmt_iterator *gsi);

/* Returns a mark if options_marks_counts, otherwise the statements of counter_add_one. */
gimple_seq counter_addition(tree counter, location_t location);

/* Returns the variable of the mark if the statement is a mark, otherwise NULL_TREE. */
tree counter_marked(const gimple *statement);

void counter_remove_mark(gimple *statement);

#endif
