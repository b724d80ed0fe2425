/* SPDX-License-Identifier: GPL-3.0-or-later */
/* condense: gives each compiled function the fewest and cheapest counters that its marks
   need.

   Before inlining, a mark (counter.h) is put wherever something must be counted.  The
   optimisers neither delete nor join marks.  When everything that is inlined in a
   function has been, this module replaces the function's marks by counters at the places
   that are executed least.  The tables get the recipe of each mark (placement.h): the
   counters whose sum is the mark's count.

   condense.cc: the passes, which take the marks out and make the counters.
   condense-graph.cc: the flow graph of the function, in which the places are chosen.
   condense-insert.cc: the code that adds to counters: without a branch where the
   optimisers can do without one, and in a register over a loop.

   Only plugin/ccprof.cc includes this file from outside; it needs the first two
   functions.  */

#ifndef CCPROF_CONDENSE_H
#define CCPROF_CONDENSE_H

#include "plugin/tables/placement.h"

/* In plugin_init, if options_marks_counts.  */
void condense_register(const char *plugin);

/* Whether an early pass makes one mark of marks that are always executed together, so
   that GCC has fewer statements to look at, and to copy where a function is inlined. With
   LTO it does not: what the compiler streams has its marks as they are.  */
bool condense_joins_marks(void);

/* Where code on an edge of the graph can be inserted: one of these, or nowhere.  */
struct condense_place {
    gimple *before; /* a mark */
    gimple *behind;
    basic_block start; /* behind its labels */
    edge on;
};

/* The flow graph of the current function.  A block of the graph ends behind each
   statement that may not return, and is an edge of the graph itself.  */
struct condense_graph {
    struct recipe_edge *edges;
    struct condense_place *places; /* by edge */
    size_t count, edge_room, place_room;
    unsigned nodes;
};

/* A mark, and the edge of the block that it is in.  */
struct condense_mark {
    gimple *statement;
    size_t edge;
};

/* The *quiet* loops of the current function: nothing in them may read counters or leave
   the function, and code can be inserted on the edges into and out of them.  So a counter
   can be in a register over a quiet loop.  QUIET is NULL if the function has no loops or
   GCC does not know them.  */
struct condense_loops {
    bool any;    /* if QUIET is NULL: something may be executed again */
    bool *quiet; /* by number */
    struct condense_local *locals;
    size_t count, room;
};

struct condense_loops condense_loops_find(void);
void condense_loops_free(struct condense_loops *loops);

/* Returns the outermost quiet loop around LOOP if code that is executed COUNT times pays
   for a register there, otherwise NULL.  */
class loop *condense_loop(const struct condense_loops *loops, class loop *loop,
                          profile_count count);

/* Makes the graph, in which the blocks with marks are needed, and appends the marks to
   MARKS.  */
void condense_graph_make(struct condense_graph *graph, vec<condense_mark> *marks,
                         const struct condense_loops *loops);
void condense_graph_free(struct condense_graph *graph);

/* Inserts the additions to COUNTERS, by edge of the graph.  Code on edges is committed by
   the caller.  */
void condense_insert(const struct condense_graph *graph, const tree *counters,
                     struct condense_loops *loops);

/* Inserts an addition to COUNTER before the mark.  */
void condense_insert_at_mark(gimple *mark, tree counter,
                             const struct condense_loops *loops);

#endif
