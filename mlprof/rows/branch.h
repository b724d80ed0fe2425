/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes sources of branches, for rows.c, and tells how often each was taken.  They have
   MLton's names: f.<case true>, f.<case 3>.  */

#ifndef MLPROF_BRANCH_H
#define MLPROF_BRANCH_H

#include "mlprof/flow/flowcounts.h"
#include "mlprof/stacks/stacks.h"

/* The functions whose branches are told of.  */
enum branch_scope {
    BRANCH_COMPILED, /* those that were compiled with the argument branch */
    BRANCH_ALL
};

struct branch_counts {
    size_t first;     /* the number of the first branch among the sources of the stacks */
    uint64_t *counts; /* by source, from FIRST on; to be freed */
    size_t count;
};

/* Adds a source to STACKS for each branch of the conditions and switches of FLOWS, which
   may be NULL.  Its position is where the branch leads.  Of several branches of one line
   the second is <case true 2>, and so on.  */
struct branch_counts branch_counts_of(struct stacks *stacks,
                                      const struct flowcounts *flows,
                                      enum branch_scope scope);

#endif
