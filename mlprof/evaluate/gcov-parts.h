/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often a part of a flow graph, the blocks of a line say, was executed: how often
   control came into it, and how often it went round in it.  The latter is the counts of
   its elementary circuits, one after the other taken away (K. A. Hawick, H. A. James,
   "Enumerating circuits and loops in graphs with self-arcs and multiple-arcs", 2008,
   after D. B. Johnson, 1975).  Where circuits share edges the sum depends on their order,
   which is gcov's: by the blocks where they start, then by the blocks that follow.  */

#ifndef MLPROF_GCOV_PARTS_H
#define MLPROF_GCOV_PARTS_H

#include "mlprof/evaluate/flowcounts.h"

/* For one flow.  */
struct gcov_parts;

struct gcov_parts *gcov_parts_new(const struct flowcounts_flow *flow);

/* CYCLES may be NULL.  */
void gcov_parts_free(struct gcov_parts *parts);

/* How often the part that consists of the COUNT BLOCKS, no two the same, was executed.
   Circuits start in the blocks in this order.  */
int64_t gcov_parts_count(struct gcov_parts *parts, const uint32_t *blocks, size_t count);

/* An edge out of a block.  */
struct gcov_parts_edge {
    uint32_t to;   /* the block where it leads */
    uint32_t edge; /* its number */
};

/* The edges out of a block by the blocks where they lead, and how many they are.  */
const struct gcov_parts_edge *gcov_parts_edges(const struct gcov_parts *parts,
                                               uint32_t block, size_t *count);

#endif
