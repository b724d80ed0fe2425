/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a source of each branch, for rows.c, with the number of times that it was taken,
   and finds the branch that a position belongs to.  Branches have MLton's names: f.<case
   true>, f.<case 3>.  */

#ifndef MLPROF_BRANCH_H
#define MLPROF_BRANCH_H

#include "mlprof/base/index.h"
#include "mlprof/flow/flowcounts.h"
#include "mlprof/stacks/stacks.h"

/* The functions whose branches become sources.  */
enum branch_scope {
    BRANCH_COMPILED, /* the functions compiled with the argument branch */
    BRANCH_ALL
};

struct branch {
    uint64_t count;  /* how often the branch was taken */
    uint32_t around; /* number of the branch that it is nested in; BRANCH_NONE */
    /* The tables have code at positions in this branch and in no branch inside it.  */
    bool has_code;
    /* Control also reaches the branch's code by other paths, so the code was executed
       more often than the branch was taken.  */
    bool shared;
};

#define BRANCH_NONE UINT32_MAX

/* The branches of positions: samples have positions, and flow graphs say which blocks
   have code at a position.  */
struct branch_places {
    struct index index; /* key: source; file; line and column */
    uint32_t *branches; /* by the number in INDEX */
    size_t capacity;
    struct intern files;
};

struct branches {
    struct branch *list; /* to be freed by branch_free, like the other arrays */
    size_t count, capacity;
    size_t first; /* the number of the first branch among the sources of the stacks */
    struct branch_places places;
    /* By source before the first branch: the function that the source is, or that it is a
       copy of (-split).  */
    uint32_t *functions;
};

/* Adds to STACKS a source for each branch of the conditions and switches of FLOWS, which
   may be NULL, and fills BRANCHES.  The position of a branch is where it leads.  If
   several branches of one line have the same name, the second is <case true 2>, and so
   on.  flow/arms.h says which code belongs to a branch.  */
void branch_find(struct branches *branches, struct stacks *stacks,
                 const struct flowcounts *flows, enum branch_scope scope);

/* The number of the innermost branch around the position in the function SOURCE, or
   BRANCH_NONE.  */
uint32_t branch_at(struct branches *branches, uint32_t source,
                   const struct stacks_position *position);

void branch_free(struct branches *branches);

/* The text in the branch's name that says when the edge is taken, as in `case true'; to
   be freed.  NULL if the edge is no branch.  */
char *branch_label(const struct flowgraph *graph, const struct flowgraph_edge *edge);

#endif
