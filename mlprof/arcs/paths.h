/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the arrows of a call graph in which some functions are drawn and others hidden,
   for the graph.  */

#ifndef MLPROF_PATHS_H
#define MLPROF_PATHS_H

#include "mlprof/rows/rows.h"

/* FROM reached TO, with none but hidden functions between; rows' numbers.  */
struct paths_path {
    uint32_t from, to;
    uint64_t weight; /* samples with such a path on the stack, each once; calls, if they
                        were counted, and 0 if the path is none and nothing tells */
    bool direct;     /* one of the paths is a call */
    bool estimated;  /* the weight is not known */
};

struct paths {
    struct paths_path *paths; /* by from, then to */
    size_t count, capacity;
};

/* Fills PATHS, which paths_free frees; DRAWN tells of each row.  If calls were counted
   they are those that ARCS tells of, which may be NULL otherwise; if nothing was measured
   those of the rows' edges.  */
struct arcs;
void paths_find(struct paths *paths, const struct rows *rows, const struct arcs *arcs,
                const bool *drawn);

void paths_free(struct paths *paths);

#endif
