/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spanning: chooses which edges of a control flow graph need a counter, for edges.cc.
   The counts of the edges of a spanning tree follow from those of the others (Knuth
   and Stevenson, "Optimal measurement points for program frequency counts", BIT 13,
   1973), and a tree of the edges taken most often leaves the least to be counted (Ball
   and Larus, "Optimally profiling and tracing programs", TOPLAS 16:4, 1994).  Knows
   nothing of GCC.  */

#ifndef CCPROF_SPANNING_H
#define CCPROF_SPANNING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum spanning_wish {
    SPANNING_ANY,
    SPANNING_COUNTED,    /* it is to have a counter in any case */
    SPANNING_UNCOUNTABLE /* no code can stand on it */
};

enum spanning_role {
    SPANNING_TREE,
    SPANNING_COUNTER,
    SPANNING_NEITHER /* uncountable, and no room in the tree: its count stays unknown */
};

struct spanning_edge {
    unsigned from, to;
    enum spanning_wish wish;
    double weight;           /* how often it is taken, or how much a counter would cost */
    enum spanning_role role; /* the result */
};

/* Chooses for a graph with NODES nodes, in which an edge that is not among EDGES leads
   from node 1, the exit, to node 0, the entry.  Uncountable edges come into the tree
   first, each kind the heaviest first and of equal ones the first.  */
void spanning_choose(struct spanning_edge *edges, size_t count, unsigned nodes);

#ifdef __cplusplus
}
#endif

#endif
