/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of condense.h share; nobody else includes it.  */

#ifndef CCPROF_CONDENSE_INSIDE_H
#define CCPROF_CONDENSE_INSIDE_H

#include "plugin/tables/placement.h"

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

/* The loops of the current function in which nothing is called, nor left but by edges, so
   that a counter can be in a register over one.  Without any loops, or where GCC does not
   know them, they are NULL.  */
struct condense_loops {
    bool any;    /* where they are NULL: something may be executed again */
    bool *quiet; /* by number */
    struct condense_local *locals;
    size_t count, room;
};

struct condense_loops condense_loops_find(void);
void condense_loops_free(struct condense_loops *loops);

/* The outermost of them around LOOP, or NULL.  */
class loop *condense_quiet_loop(const struct condense_loops *loops, class loop *loop);

/* The outermost of them around LOOP, where code that is executed COUNT times pays for a
   register; or NULL.  */
class loop *condense_loop(const struct condense_loops *loops, class loop *loop,
                          profile_count count);

/* The register in which that loop counts for COUNTER: 0 before the loop, added to COUNTER
   behind it.  */
tree condense_local(struct condense_loops *loops, class loop *loop, tree counter);

/* Makes the graph, in which the blocks with marks are wanted, and appends these to
   MARKS.  */
void condense_graph_make(struct condense_graph *graph, vec<condense_mark> *marks,
                         const struct condense_loops *loops);
void condense_graph_free(struct condense_graph *graph);

/* Where the place is one of the two ways from a condition to where they meet again, and
   the optimisers may do without a branch if nothing is counted there: the edge out of the
   condition.  Otherwise NULL.  */
edge condense_arm(const struct condense_place *place);

/* Appends to STATEMENTS, and gives, 1 of the type where the edge is taken, otherwise 0;
   for code before the condition.  */
tree condense_arm_taken(gimple_seq *statements, edge arm, tree type);

/* What is marked by MARKED, or if NEGATIVE minus that.  */
struct condense_telling {
    tree marked;
    bool negative;
};

/* The counter that counts for all these marks.  What counts for the same is one counter,
   in whatever functions of the unit it is added to.  */
tree condense_counter(const vec<condense_telling> &told);

#endif
