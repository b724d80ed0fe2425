/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts for gcov.c how often a subgraph of a flow graph was executed, the blocks of a
   line for example: how often control came into it, and how often it went round in it.
   The latter is the counts of its elementary circuits, one after the other taken away (K.
   A. Hawick, H. A. James, "Enumerating circuits and loops in graphs with self-arcs and
   multiple-arcs", 2008, after D. B. Johnson, 1975).  Where circuits share edges the sum
   depends on their order, which is gcov's: by the blocks where they start, then by the
   blocks that follow.  */

#ifndef MLPROF_GCOV_CYCLES_H
#define MLPROF_GCOV_CYCLES_H

#include "mlprof/flow/flowcounts.h"

/* For one flow.  */
struct gcov_cycles;

struct gcov_cycles *gcov_cycles_new(const struct flowcounts_flow *flow);

/* CYCLES may be NULL.  */
void gcov_cycles_free(struct gcov_cycles *cycles);

/* How often the subgraph of the COUNT BLOCKS, no two the same, was executed.
   Circuits start in the blocks in this order.  */
int64_t gcov_cycles_count(struct gcov_cycles *cycles, const uint32_t *blocks,
                          size_t count);

/* An edge out of a block.  */
struct gcov_cycles_edge {
    uint32_t to;   /* the block where it leads */
    uint32_t edge; /* its number */
};

/* The edges out of a block by the blocks where they lead, and how many they are.  */
const struct gcov_cycles_edge *gcov_cycles_edges(const struct gcov_cycles *cycles,
                                                 uint32_t block, size_t *count);

#endif
