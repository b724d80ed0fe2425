/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the arrows of a call graph that draws some functions and hides the others.
   Used by view/callgraph.c. */

#ifndef MLPROF_PATHS_H
#define MLPROF_PATHS_H

#include "mlprof/rows/rows.h"

/* A path from the function in row FROM to the function in row TO. All functions
   between them are hidden. */
struct paths_path {
    uint32_t from, to;
    /* Number of samples with this path on the stack; each sample counts once. If
       calls were counted: the number of calls, or 0 for a path through hidden
       functions, because its number of calls is unknown. */
    uint64_t weight;
    bool direct;    /* at least one of the paths is a direct call */
    bool estimated; /* the weight is an estimate */
};

struct paths {
    struct paths_path *paths; /* sorted by FROM, then TO */
    size_t count, capacity;
};

/* Fills PATHS. The caller frees it with paths_free. DRAWN says, by row, which
   functions are drawn. The arrows are taken from ARCS if calls were counted,
   otherwise from the stacks, or from the edges of the rows if nothing was measured.
   ARCS may be NULL unless calls were counted. */
struct arcs;
void paths_find(struct paths *paths, const struct rows *rows, const struct arcs *arcs,
                const bool *drawn);

void paths_free(struct paths *paths);

#endif
