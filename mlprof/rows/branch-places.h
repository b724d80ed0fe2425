/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the branch that a position of a function is in, for branch.c.  Samples have
   positions, and flow graphs say on which blocks these stand.  */

#ifndef MLPROF_BRANCH_PLACES_H
#define MLPROF_BRANCH_PLACES_H

#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
#include "mlprof/flow/arms.h"

#define BRANCH_PLACES_NONE UINT32_MAX

/* Starts as all zero.  */
struct branch_places {
    struct index index; /* source; file; line and column */
    uint32_t *branches; /* by number there */
    size_t capacity;
    struct intern files;
};

/* What stands in a block of the flow graph is in the branch that OF_EDGE, by edge, says
   of the arm of the block.  What stands in several arms is in what is around all of them,
   and so is a line, which counts where no column is known.  */
void branch_places_add(struct branch_places *places, uint32_t source,
                       const struct flowgraph *graph, const struct arms *arms,
                       const uint32_t *of_edge);

/* The branch; BRANCH_PLACES_NONE.  COLUMN 0: unknown.  */
uint32_t branch_places_at(struct branch_places *places, uint32_t source, const char *file,
                          uint32_t line, uint32_t column);

void branch_places_free(struct branch_places *places);

#endif
