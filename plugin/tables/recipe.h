/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe: chooses where counters are put so that the counts of some edges of a control
   flow graph follow, for condense.cc; the *recipe* of an edge says of which counters
   its count is the sum.  Unlike spanning.h this gives counters only where these edges
   need them.  Knows nothing of GCC.  */

#ifndef CCPROF_RECIPE_H
#define CCPROF_RECIPE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most terms of a recipe.  */
#define RECIPE_TERMS 12

struct recipe_edge {
    unsigned from, to;
    bool countable; /* code can stand on it */
    bool wanted;    /* its count is to follow; then it is countable */
    double weight;  /* how much a counter would cost */

    /* The results.  */
    bool counter;
    size_t first, terms; /* of the wanted: its recipe, below */
};

/* The count of the edge that has the counter, once or, if NEGATIVE, minus once.  */
struct recipe_term {
    size_t edge;
    bool negative;
};

struct recipe {
    struct recipe_term *terms;
    size_t count, room;
};

/* Fills the results.  Node 0 is the entry, node 1 the exit, and an edge that is not among
   EDGES leads from the exit to the entry; of all other nodes the counts of the edges into
   them add up to the same as those of the edges out of them.  RECIPE starts as all zero;
   its terms are to be freed with memory_free.  */
void recipe_find(struct recipe_edge *edges, size_t count, unsigned nodes,
                 struct recipe *recipe);

#ifdef __cplusplus
}
#endif

#endif
