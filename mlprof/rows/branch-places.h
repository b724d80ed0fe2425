/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the branch that a position in a function belongs to, for branch.c.  Samples have
   positions; flow graphs say which blocks have code at a position.  */

#ifndef MLPROF_BRANCH_PLACES_H
#define MLPROF_BRANCH_PLACES_H

#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
#include "mlprof/flow/arms.h"

#define BRANCH_PLACES_NONE UINT32_MAX

/* Starts as all zero.  */
struct branch_places {
    struct index index; /* key: source; file; line and column */
    uint32_t *branches; /* by the number in INDEX */
    size_t capacity;
    struct intern files;
};

/* Puts the positions in the blocks of GRAPH into branches: OF_EDGE gives, for the edge
   that leads to a block's arm, the number of the branch.  A position in several arms
   belongs to the innermost branch around all of them.  So does a line, which is looked up
   where no column is known.  */
void branch_places_add(struct branch_places *places, uint32_t source,
                       const struct flowgraph *graph, const struct arms *arms,
                       const uint32_t *of_edge);

/* The branch at a position of SOURCE, or BRANCH_PLACES_NONE.  COLUMN 0: unknown.  */
uint32_t branch_places_at(struct branch_places *places, uint32_t source, const char *file,
                          uint32_t line, uint32_t column);

void branch_places_free(struct branch_places *places);

#endif
