/* SPDX-License-Identifier: GPL-3.0-or-later */
/* condense: replaces the marks of each compiled function by the fewest and cheapest
   counters that the marks need.

   Before inlining, a mark (counter.h) is put wherever something must be counted. The
   optimisers neither delete nor join marks. When GCC has finished inlining into a
   function, this module replaces the function's marks by counters, at the places that
   are executed least often. The tables get the recipe of each mark (placement.h): the
   counters whose sum is the count of the mark.

   condense.cc: the passes, which remove the marks and make the counters, and the flow
   graph in which places for counters are chosen.

   condense-insert.cc: the code that adds to counters. This code has no branch if the
   optimisers do not need one, and counts in a register during a loop.

   Outside this module only plugin/ccprof.cc includes this file. It uses
   condense_register and condense_joins_marks. */

#ifndef CCPROF_CONDENSE_H
#define CCPROF_CONDENSE_H

#include "plugin/tables/placement.h"

/* Call this in plugin_init if options_marks_counts. */
void condense_register(const char *plugin);

/* Returns true if an early pass joins marks that are always executed together to one
   mark. Then GCC has fewer statements to process, and to copy when it inlines a
   function. With LTO marks are not joined, because the list of joined marks is not
   streamed. */
bool condense_joins_marks(void);

/* The place at which code for an edge of the graph can be inserted. At most one member
   is set. */
struct condense_place {
    gimple *before; /* a mark */
    gimple *behind;
    basic_block start; /* after the labels of this block */
    edge on;
};

/* The flow graph of the current function. A block of the graph ends after each
   statement that may not return. A block is also an edge of the graph, from its start
   to its end. */
struct condense_graph {
    struct recipe_edge *edges;
    struct condense_place *places; /* indexed by edge */
    size_t count, edge_room, place_room;
    unsigned nodes;
};

/* The *quiet* loops of the current function. Nothing in a quiet loop may read counters
   or leave the function, and code can be inserted on the edges into and out of the
   loop. So a counter can be in a register during a quiet loop. QUIET is NULL if the
   function has no loops or GCC has no valid information about them. */
struct condense_loops {
    bool any;    /* if QUIET is NULL: some code may be executed repeatedly */
    bool *quiet; /* indexed by number of the loop */
    struct condense_local *locals;
    size_t count, room;
};

struct condense_loops condense_loops_find(void);
void condense_loops_free(struct condense_loops *loops);

/* Returns the outermost quiet loop around LOOP if a register during that loop is
   worthwhile for code that is executed COUNT times. Otherwise returns NULL. */
class loop *condense_loop(const struct condense_loops *loops, class loop *loop,
                          profile_count count);

/* Inserts the additions to COUNTERS, which is indexed by the edges of the graph. The
   caller must commit the code on edges. */
void condense_insert(const struct condense_graph *graph, const tree *counters,
                     struct condense_loops *loops);

/* Inserts an addition to COUNTER before the mark. */
void condense_insert_at_mark(gimple *mark, tree counter,
                             const struct condense_loops *loops);

#endif
