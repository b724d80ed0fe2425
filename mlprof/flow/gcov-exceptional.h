/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells gcov.c by gcov's rules which edges out of a block are exceptions.  */

#ifndef MLPROF_GCOV_EXCEPTIONAL_H
#define MLPROF_GCOV_EXCEPTIONAL_H

#include "mlprof/tables/flowgraph.h"

/* Starts as all zero, and may be used for one function after the other.  */
struct gcov_exceptional {
    bool *blocks; /* those that only exceptions reach */
    uint32_t *queue;
    size_t room; /* blocks, in both */
};

bool gcov_is_fake(const struct flowgraph_edge *edge);

/* Control may leave the block for another function and not come back.  */
bool gcov_may_not_return(const struct flowgraph *graph, uint32_t block);

/* Of a block that MAY_NOT_RETURN the other ways out are exceptions.  */
bool gcov_is_throw(const struct flowgraph_edge *edge, bool may_not_return);

/* Fills the blocks of a function.  */
void gcov_exceptional_find(struct gcov_exceptional *exceptional,
                           const struct flowgraph *graph);

void gcov_exceptional_free(struct gcov_exceptional *exceptional);

#endif
