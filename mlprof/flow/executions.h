/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts how often lines or expressions were executed, from flow graphs, for
   grouping.c.  */

#ifndef MLPROF_EXECUTIONS_H
#define MLPROF_EXECUTIONS_H

#include "mlprof/flow/flowcounts.h"

/* What counts are told of.  */
enum executions_of {
    EXECUTIONS_OF_LINES,
    EXECUTIONS_OF_POINTS, /* a line and a column */
    EXECUTIONS_OF_RANGES  /* from the first to the last character of an expression */
};

/* A line of one flow, or what stands at a point of it if it has a column.  The texts are
   the flow's.  */
struct executions_point {
    const struct flowcounts_flow *flow;
    const char *file;
    uint32_t line, column;
    struct flowgraph_range range; /* of a point itself, of a line all 0 */
    uint64_t count;
};

struct executions {
    struct executions_point *points;
    size_t count, capacity;
};

/* Fills EXECUTIONS, which executions_free frees, with the points of the flows that have a
   row; those of a function that has several flows stand there several times.  A line on
   which several blocks stand was executed as often as control came into them or went
   round in them, by gcov's rule (gcov.h); a point or range as often as it was begun
   (begun.h).  */
void executions_find(struct executions *executions, const struct flowcounts *flows,
                     enum executions_of what);

void executions_free(struct executions *executions);

#endif
