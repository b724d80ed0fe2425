/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the arrows of a call graph in which some functions are drawn and others are
   hidden, for the graph.  */

#ifndef MLPROF_PATHS_H
#define MLPROF_PATHS_H

#include "mlprof/rows/rows.h"

/* FROM reached TO with only hidden functions between.  Both are rows.  */
struct paths_path {
    uint32_t from, to;
    /* Samples with this path on the stack, each counted once.  If calls were counted:
       calls, or 0 for a path over hidden functions, whose number nothing tells.  */
    uint64_t weight;
    bool direct;    /* at least one of the paths is a direct call */
    bool estimated; /* the weight is an estimate */
};

struct paths {
    struct paths_path *paths; /* by from, then to */
    size_t count, capacity;
};

/* Fills PATHS, which paths_free frees; DRAWN says, by row, which functions are drawn.
   Arrows come from ARCS if calls were counted, otherwise from the stacks, and from the
   rows' edges if nothing was measured.  ARCS may be NULL unless calls were counted.  */
struct arcs;
void paths_find(struct paths *paths, const struct rows *rows, const struct arcs *arcs,
                const bool *drawn);

void paths_free(struct paths *paths);

#endif
