/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count: each source function counts its calls.  The counter is a static variable of its
   own, which the function's first statement adds 1 to, before anything is inlined: so
   every inlined copy counts, and what the optimisers delete leaves a counter behind.  The
   variable's context is the function; so it describes itself, as a marker does, and
   survives LTO streaming.  What becomes of it when optimisation is over: cells.h.  */

#ifndef CCPROF_COUNT_H
#define CCPROF_COUNT_H

/* Whether what the function does is counted: it is not excluded.  */
bool count_wants(tree function);

/* Whether the VAR_DECL is a counter; its context is the function that it counts.  */
bool count_is_counter(const_tree variable);

/* Whether the function was declared pure or const, which is forgotten so that no call of
   it is saved.  */
bool count_was_pure(tree function);

/* What a counter counts: calls of its function, an edge of its flow, or both.  */
struct count_of {
    bool calls, edge;
    uint64_t flow; /* its id */
    unsigned number;
};
struct count_of count_of_counter(const_tree counter);

/* A new counter of an edge of the current function, and of its calls.  */
tree count_make_edge_counter(uint64_t flow, unsigned number, bool calls);

/* Statements that add 1 to the counter.  They are at that place and in its block, so that
   what they cost, and the copy that they are in, is its; at the function's own place where
   it is unknown.  */
gimple_seq count_addition(tree counter, location_t location);

#endif
