/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of condense.h share; nobody else includes it.  */

#ifndef CCPROF_CONDENSE_INSIDE_H
#define CCPROF_CONDENSE_INSIDE_H

#include "plugin/tables/recipe.h"

/* Where code that an edge of the graph passes can stand: one of these, or nowhere.  */
struct condense_place {
    gimple *before; /* a mark */
    gimple *behind;
    basic_block start; /* behind its labels */
    edge on;
};

/* The flow graph of the current function.  A block ends behind each statement that may
   not come back, and is an edge of the graph itself.  */
struct condense_graph {
    struct recipe_edge *edges;
    struct condense_place *places; /* by edge */
    size_t count, edge_room, place_room;
    unsigned nodes;
};

/* A mark, and the edge that is the block in which it stands.  */
struct condense_mark {
    gimple *statement;
    size_t edge;
};

/* Makes the graph, in which the blocks with marks are wanted, and appends these to
   MARKS.  */
void condense_graph_make(struct condense_graph *graph, vec<condense_mark> *marks);
void condense_graph_free(struct condense_graph *graph);

/* What is marked by MARKED, or if NEGATIVE minus that.  */
struct condense_telling {
    tree marked;
    bool negative;
};

/* The counter that counts for all these marks.  What counts for the same is one counter,
   in whatever functions of the unit it is added to.  */
tree condense_counter(const vec<condense_telling> &told);

#endif
