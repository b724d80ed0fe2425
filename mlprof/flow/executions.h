/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts how often lines or expressions were executed, from flow graphs, for
   groups/.  */

#ifndef MLPROF_EXECUTIONS_H
#define MLPROF_EXECUTIONS_H

#include "mlprof/flow/flowcounts.h"

/* Counts how often an expression that has several blocks of one flow was entered. Control
   may leave the expression and come back, after a call among its operands or from an arm
   of `?:': the expression then goes on.  When control goes round in a loop that contains
   it, the expression is entered again.  */
struct expression_entries;

struct expression_entries *expression_entries_new(const struct flowcounts_flow *flow);

/* ENTRIES may be NULL.  */
void expression_entries_free(struct expression_entries *entries);

/* How often control entered an expression on COUNT different BLOCKS.  Some executions
   that reach a block may be inside the expression already, and others not.  The flow
   graph does not say which of them take which edge, so both are assumed to be divided
   among the edges in the same proportion.  */
uint64_t expression_entries_count(struct expression_entries *entries,
                                  const uint32_t *blocks, size_t count);

/* The things whose executions are counted.  */
enum executions_of {
    EXECUTIONS_OF_LINES,
    EXECUTIONS_OF_POINTS, /* positions: a line and a column */
    EXECUTIONS_OF_RANGES  /* expressions, from the first character to the last */
};

/* A line of one flow or, if COLUMN is not 0, an expression at a position.  The texts are
   the flow's.  */
struct executions_point {
    const struct flowcounts_flow *flow;
    const char *file;
    uint32_t line, column;
    struct flowgraph_range range; /* of the expression; all 0 for a line */
    uint64_t count;
};

struct executions {
    struct executions_point *points;
    size_t count, capacity;
};

/* Fills EXECUTIONS, which executions_free frees, with the points of the flows that have a
   row.  If a function has several flows, each has its own points.  A line with several
   blocks was executed as often as control entered these blocks or went round in them, by
   gcov's rule (gcov.h).  An expression was executed as often as it was entered.  */
void executions_find(struct executions *executions, const struct flowcounts *flows,
                     enum executions_of what);

void executions_free(struct executions *executions);

#endif
