/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes sources of branches, for rows.c, tells how often each was taken, and which one a
   position is in.  They have MLton's names: f.<case true>, f.<case 3>.  */

#ifndef MLPROF_BRANCH_H
#define MLPROF_BRANCH_H

#include "mlprof/flow/flowcounts.h"
#include "mlprof/rows/branch-places.h"
#include "mlprof/stacks/stacks.h"

/* The functions whose branches are told of.  */
enum branch_scope {
    BRANCH_COMPILED, /* those that were compiled with the argument branch */
    BRANCH_ALL
};

struct branch {
    uint64_t count;  /* how often it was taken */
    uint32_t around; /* number of the branch that it is nested in; BRANCH_PLACES_NONE */
    bool
        has_code; /* the tables tell positions that are in it, and in none inside of it */
};

struct branches {
    struct branch *list; /* to be freed with all else by branch_free */
    size_t count, capacity;
    size_t first; /* the number of the first one among the sources of the stacks */
    struct branch_places places;
    uint32_t *functions; /* by source before the first branch: the function that it is, or
                            that it is the copies of (-split) */
};

/* Fills BRANCHES with a source of STACKS for each branch of the conditions and switches
   of FLOWS, which may be NULL.  Its position is where the branch leads.  Of several
   branches of one line the second is <case true 2>, and so on.  What belongs to which is
   told in flow/arms.h.  */
void branch_find(struct branches *branches, struct stacks *stacks,
                 const struct flowcounts *flows, enum branch_scope scope);

/* The number of the innermost branch that the position in the function SOURCE is in;
   BRANCH_PLACES_NONE.  */
uint32_t branch_at(struct branches *branches, uint32_t source,
                   const struct stacks_position *position);

void branch_free(struct branches *branches);

/* When the edge is taken, in words, as they stand in the branch's name, to be freed;
   NULL: it is no branch.  */
char *branch_label(const struct flowgraph *graph, const struct flowgraph_edge *edge);

#endif
