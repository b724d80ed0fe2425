/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts how often a subgraph of a flow graph was executed, for example the blocks of a
   line, for gcov.c: how often control came into it, plus how often control went round in
   it.  The rounds are the counts of its elementary circuits, which are taken away one
   after the other (K.  A.  Hawick, H.  A.  James, "Enumerating circuits and loops in
   graphs with self-arcs and multiple-arcs", 2008, after D.  B.  Johnson, 1975).  If
   circuits share edges the sum depends on their order, which is gcov's: by their first
   blocks, then by the blocks that follow.  */

#ifndef MLPROF_GCOV_CYCLES_H
#define MLPROF_GCOV_CYCLES_H

#include "mlprof/flow/flowcounts.h"
#include "mlprof/tables/flowgraph.h"

/* Works on one flow.  */
struct gcov_cycles;

struct gcov_cycles *gcov_cycles_new(const struct flowcounts_flow *flow);

/* CYCLES may be NULL.  */
void gcov_cycles_free(struct gcov_cycles *cycles);

/* How often the subgraph of the COUNT BLOCKS, no two the same, was executed.  Circuits
   are started in the order of BLOCKS.  */
int64_t gcov_cycles_count(struct gcov_cycles *cycles, const uint32_t *blocks,
                          size_t count);

/* An edge out of a block.  */
struct gcov_cycles_edge {
    uint32_t to;   /* the block where it leads */
    uint32_t edge; /* its number */
};

/* The edges out of a block, sorted by target, and their number.  */
const struct gcov_cycles_edge *gcov_cycles_edges(const struct gcov_cycles *cycles,
                                                 uint32_t block, size_t *count);

/* Which edges are exceptions by gcov's rules.  Starts as all zero, and may be used for
   one function after another.  */
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
