/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts how often lines or expressions were executed, from flow graphs, for
   grouping.c.  */

#ifndef MLPROF_EXECUTIONS_H
#define MLPROF_EXECUTIONS_H

#include "mlprof/flow/flowcounts.h"

/* A line of one flow, or a point of it if it has a column.  The texts are the flow's.  */
struct executions_point {
    const struct flowcounts_flow *flow;
    const char *file;
    uint32_t line, column;
    uint64_t count;
};

struct executions {
    struct executions_point *points;
    size_t count, capacity;
};

/* Fills EXECUTIONS, which executions_free frees, with the points of the flows that have a
   row; those of a function that has several flows stand there several times.  A line on
   which several blocks stand was executed as often as control came into them or went
   round in them, by gcov's rule (gcov.h); a point as often as it was begun (begun.h).  */
void executions_find(struct executions *executions, const struct flowcounts *flows,
                     bool columns);

void executions_free(struct executions *executions);

#endif
