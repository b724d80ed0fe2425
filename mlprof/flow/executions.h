/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts, from flow graphs, how often lines or expressions were executed. For
   groups/, the page and comparisons. */

#ifndef MLPROF_EXECUTIONS_H
#define MLPROF_EXECUTIONS_H

#include "mlprof/flow/flowcounts.h"

/* Counts how often control entered an expression that consists of several blocks of
   one flow graph. Control may leave an expression and return to it, for example after
   a call among its operands or from an arm of `?:'. Such a return is not a new entry.
   If a loop contains the expression, each iteration is a new entry. */
struct expression_entries;

struct expression_entries *expression_entries_new(const struct flowcounts_flow *flow);

/* ENTRIES may be NULL. */
void expression_entries_free(struct expression_entries *entries);

/* Returns how often control entered the expression that consists of COUNT different
   BLOCKS. Some executions that reach a block may already be inside the expression.
   The flow graph does not show which of these executions take which edge. Therefore
   each edge is assumed to have the same proportion of them. */
uint64_t expression_entries_count(struct expression_entries *entries,
                                  const uint32_t *blocks, size_t count);

/* The objects whose executions are counted. */
enum executions_of {
    EXECUTIONS_OF_LINES,
    EXECUTIONS_OF_POINTS, /* positions: a line and a column */
    EXECUTIONS_OF_RANGES  /* expressions, from the first character to the last */
};

/* A line of one flow graph or, if COLUMN is not 0, an expression at a position. The
   texts belong to the flow graph. */
struct executions_point {
    const struct flowcounts_flow *flow;
    const char *file;
    uint32_t line, column;
    struct flowgraph_range range; /* range of the expression; all 0 for a line */
    uint64_t count;
};

struct executions {
    struct executions_point *points;
    size_t count, capacity;
};

/* Fills EXECUTIONS with the points of those flow graphs that have a row. The caller
   frees it with executions_free. If a function has several flow graphs, each has its
   own points. Lines are counted by gcov's rule (gcov.h): a line with several blocks
   was executed as often as control entered its blocks from outside, plus the number of
   rounds in them. An expression was executed as often as it was entered. */
void executions_find(struct executions *executions, const struct flowcounts *flows,
                     enum executions_of what);

void executions_free(struct executions *executions);

#endif
