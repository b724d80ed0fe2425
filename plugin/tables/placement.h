/* SPDX-License-Identifier: GPL-3.0-or-later */
/* placement: chooses which edges of a control flow graph get a counter, so that the
   counts of the other edges can be computed.  It needs nothing of GCC.

   By Kirchhoff's law the counts of the edges of a spanning tree follow from the counts of
   all other edges, the chords (Knuth and Stevenson, "Optimal measurement points for
   program frequency counts", BIT 13, 1973).  A tree of the edges taken most often leaves
   the fewest counts to be taken (Ball and Larus, "Optimally profiling and tracing
   programs", TOPLAS 16:4, 1994).

   spanning_choose places counters so that the counts of all edges follow; edges.cc uses
   it for a source function.  recipe_find places them so that the counts of some edges
   follow; condense.cc uses it for a compiled function.  */

#ifndef CCPROF_PLACEMENT_H
#define CCPROF_PLACEMENT_H

#include <stddef.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum spanning_wish {
    SPANNING_ANY,
    SPANNING_COUNTED,    /* gets a counter in any case */
    SPANNING_UNCOUNTABLE /* code cannot be inserted on it */
};

enum spanning_role {
    SPANNING_TREE,
    SPANNING_COUNTER,
    SPANNING_NEITHER /* uncountable, and outside the tree: its count stays unknown */
};

struct spanning_edge {
    unsigned from, to;
    enum spanning_wish wish;
    double weight;           /* how often it is taken, or how much a counter would cost */
    enum spanning_role role; /* the result */
};

/* Sets the role of each edge of a graph with NODES nodes.  Node 0 is the entry, node 1
   the exit; the graph has an edge from the exit to the entry, which is not among EDGES.
   Uncountable edges are put into the tree before others, then heavy edges before light
   ones, then in the order of EDGES.  */
void spanning_choose(struct spanning_edge *edges, size_t count, unsigned nodes);

/* The *recipe* of an edge is the list of counters whose sum is the edge's count.  It has
   at most this many terms.  */
#define RECIPE_TERMS 12

struct recipe_edge {
    unsigned from, to;
    bool countable; /* code can be inserted on it */
    bool needed;    /* its count must follow; such an edge is countable */
    double weight;  /* how much a counter would cost */

    /* The results.  */
    bool counter;
    size_t first, terms; /* if it is needed: its recipe, in recipe.terms */
};

/* The counter of EDGE, which is added or, if NEGATIVE, subtracted.  */
struct recipe_term {
    size_t edge;
    bool negative;
};

struct recipe {
    struct recipe_term *terms;
    size_t count, room;
};

/* Sets the results of each edge.  The graph is as for spanning_choose: into and out of
   each node other than entry and exit, the counts of the edges add up to the same. RECIPE
   starts zeroed; free its terms with memory_free.  */
void recipe_find(struct recipe_edge *edges, size_t count, unsigned nodes,
                 struct recipe *recipe);

#ifdef __cplusplus
}
#endif

#endif
