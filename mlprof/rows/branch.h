/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates a source for each branch, with the number of times that it was taken. Finds
   the branch at a position. Branches have the same names as in MLton: f.<case true>,
   f.<case 3>. Used by rows.c, amounts.c and lines.c. */

#ifndef MLPROF_BRANCH_H
#define MLPROF_BRANCH_H

#include "mlprof/base/index.h"
#include "mlprof/flow/flowcounts.h"
#include "mlprof/stacks/stacks.h"

/* The functions whose branches become sources. */
enum branch_owners {
    BRANCH_COMPILED, /* functions compiled with the argument branch */
    BRANCH_ALL
};

struct branch {
    uint64_t count; /* how often the branch was taken */
    uint32_t outer; /* the branch that it is nested in, or BRANCH_NONE */
    /* The tables have code at positions that are in this branch but not in a nested
       branch. */
    bool has_code;
    /* Control also reaches the code of the branch by other paths. Therefore the code
       was executed more often than the branch was taken. */
    bool shared;
};

#define BRANCH_NONE UINT32_MAX

/* The branches at positions. Samples have positions, and flow graphs show which
   blocks have code at a position. */
struct branch_places {
    struct index index; /* key: source; file; line and column */
    uint32_t *branches; /* by number in INDEX */
    size_t capacity;
    struct intern files;
};

struct branches {
    struct branch *list; /* freed by branch_free, like the other arrays */
    size_t count, capacity;
    size_t first; /* number of the first branch in the sources of the stacks */
    struct branch_places places;
    /* By source before the first branch: the function itself, or the function that the
       source is a copy of (-split). */
    uint32_t *functions;
};

/* Adds to STACKS a source for each branch of the conditions and switches of FLOWS, and
   fills BRANCHES. FLOWS may be NULL. The position of a branch is the position of its
   target. If several branches on a line have the same name, the second is called
   <case true 2>, the third <case true 3>, and so on. flow/arms.h defines the code of a
   branch. */
void branch_find(struct branches *branches, struct stacks *stacks,
                 const struct flowcounts *flows, enum branch_owners owners);

/* Returns the number of the innermost branch around the position in the function
   SOURCE, or BRANCH_NONE. */
uint32_t branch_at(struct branches *branches, uint32_t source,
                   const struct stacks_position *position);

void branch_free(struct branches *branches);

/* Returns the text in the name of a branch that says when the edge is taken, for
   example `true' in `case true', or NULL if the edge is not a branch. The caller
   frees it. */
char *branch_label(const struct flowgraph *graph, const struct flowgraph_edge *edge);

#endif
