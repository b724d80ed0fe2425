/* SPDX-License-Identifier: GPL-3.0-or-later */
/* placement: chooses the edges of a control flow graph that get a counter, so that the
   counts of the other edges can be computed. This module does not use GCC.

   By Kirchhoff's law the counts of the edges of a spanning tree follow from the counts
   of all other edges, the chords (Knuth and Stevenson, "Optimal measurement points for
   program frequency counts", BIT 13, 1973). If the tree contains the edges that are
   taken most often, the counters are executed least often (Ball and Larus, "Optimally
   profiling and tracing programs", TOPLAS 16:4, 1994).

   spanning_choose places counters from which the counts of all edges follow.
   plugin/count/flow.cc uses it for a source function. recipe_find places counters from
   which the counts of some edges follow. plugin/count/condense.cc uses it for a
   compiled function. */

#ifndef CCPROF_PLACEMENT_H
#define CCPROF_PLACEMENT_H

#include <stddef.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum spanning_wish {
    SPANNING_ANY,
    SPANNING_COUNTED,    /* always gets a counter */
    SPANNING_UNCOUNTABLE /* code cannot be inserted on it */
};

enum spanning_role {
    SPANNING_TREE,
    SPANNING_COUNTER,
    SPANNING_NEITHER /* uncountable and not in the tree: its count remains unknown */
};

struct spanning_edge {
    unsigned from, to;
    enum spanning_wish wish;
    double weight;           /* executions of the edge, or cost of a counter on it */
    enum spanning_role role; /* the result */
};

/* Sets the role of each edge of a graph with NODES nodes. Node 0 is the entry, node 1
   the exit. The graph also has an edge from the exit to the entry, which is not in
   EDGES. Uncountable edges are put into the tree first, then heavy edges before light
   edges. Edges of the same weight are taken in the order of EDGES. */
void spanning_choose(struct spanning_edge *edges, size_t count, unsigned nodes);

/* The *recipe* of an edge is the list of counters whose sum is the edge's count. This
   constant is the maximum number of terms of a recipe. */
#define RECIPE_TERMS 12

struct recipe_edge {
    unsigned from, to;
    bool countable; /* code can be inserted on it */
    bool needed;    /* its count must be computable; implies countable */
    double weight;  /* cost of a counter on it */

    /* The results. */
    bool counter;
    size_t first, terms; /* if needed: its recipe in recipe.terms */
};

/* The counter of EDGE is added or, if NEGATIVE, subtracted. */
struct recipe_term {
    size_t edge;
    bool negative;
};

struct recipe {
    struct recipe_term *terms;
    size_t count, room;
};

/* Sets the results in each edge. The graph is as for spanning_choose. For each node
   except entry and exit, the counts of the incoming edges and of the outgoing edges
   have the same sum. The caller must set RECIPE to zeros first, and free its terms
   with memory_free afterwards. */
void recipe_find(struct recipe_edge *edges, size_t count, unsigned nodes,
                 struct recipe *recipe);

#ifdef __cplusplus
}
#endif

#endif
