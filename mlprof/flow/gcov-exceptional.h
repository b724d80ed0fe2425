/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says which edges out of a block are exceptions by gcov's rules, for gcov.c.  */

#ifndef MLPROF_GCOV_EXCEPTIONAL_H
#define MLPROF_GCOV_EXCEPTIONAL_H

#include "mlprof/tables/flowgraph.h"

/* Starts as all zero, and may be used for one function after another.  */
struct gcov_exceptional {
    bool *blocks; /* by block: only exceptions reach it */
    uint32_t *queue;
    size_t room; /* how many blocks both arrays have room for */
};

bool gcov_is_fake(const struct flowgraph_edge *edge);

/* Whether control may leave the block for another function and not come back.  */
bool gcov_may_not_return(const struct flowgraph *graph, uint32_t block);

/* Whether the edge is an exception.  MAY_NOT_RETURN is of its block, whose edges are then
   exceptions unless they fall through.  */
bool gcov_is_throw(const struct flowgraph_edge *edge, bool may_not_return);

/* Fills EXCEPTIONAL for the blocks of a function.  */
void gcov_exceptional_find(struct gcov_exceptional *exceptional,
                           const struct flowgraph *graph);

void gcov_exceptional_free(struct gcov_exceptional *exceptional);

#endif
