/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow: the flow graphs of source functions.  flow_count and flow_describe make the graph
   of the current function before anything is inlined, and keep it for the section
   .ccprof.flow.  flow_count also puts counters on those edges from which the counts of
   all other edges follow.  A block of the graph ends behind each statement that may not
   return, so that a block is executed as a whole or not at all.

   flow.cc: chooses the edges that get counters, and carries graphs to the tables.
   flow-graph.cc: makes the graph of the function's basic blocks.
   flow-outlined.cc: functions that GCC makes of code of another function, the bodies of
   constructs and of coroutines: which of their positions count.
   flow-predict.cc: predictors of branches, for the argument mispredictions.

   count.cc has graphs made; plugin/ccprof.cc and plugin/ccprof.cc use the first
   functions.  */

#ifndef CCPROF_FLOW_H
#define CCPROF_FLOW_H

#include "plugin/tables/graph.h"
#include "plugin/tables/placement.h"

/* In plugin_init.  */
void flow_register(const char *plugin);

/* Makes the flow graph of the current function without counters, to tell which code
   belongs to which branch.  The code does not change.  */
void flow_describe(void);

/* Makes the flow graph of the current function and counts its edges.  If CALLS, the
   counter of its entry also counts its calls.  */
void flow_count(bool calls);

/* Whether this compilation has flow graphs to write.  */
bool flow_any(void);

/* Writes them at the end of the unit.  UNIT is the label of the unit's table.  */
void flow_emit(const char *unit);

/* The rest is shared by the files of this module.  */

/* Where code on an edge of the graph can be inserted: one of these, or nowhere.  */
struct flow_place {
    edge on;
    gimple *behind;
    basic_block labels; /* behind its labels */
};

/* A basic block that ends with a branch, and the number of the graph's block that ends
   with it.  */
struct flow_branch {
    basic_block bb;
    unsigned block;
};

/* The flow graph of the current function.  Places and choices are by number of the
   graph's edge.  */
struct flow_graph {
    struct graph graph;
    struct flow_place *places;
    struct spanning_edge *choices;
    size_t place_room, choice_room;
    vec<struct flow_branch> predicted; /* released by the caller */
};

/* Makes the graph of the current function, during tailcall_find.  It is valid until the
   next call.  */
struct flow_graph *flow_graph_make(bool has_ranges);

/* Looks at the current function.  The next three functions are valid from then to
   outlined_free.  */
void outlined_find(void);
void outlined_free(void);

/* Whether the current function is outlined.  */
bool outlined_is(void);

/* Whether GCC added the code at LOCATION: it only enters or leaves the function.  */
bool outlined_is_added(location_t location);

/* Whether the code at LOCATION in BB continues an execution that began before BB, when
   the coroutine was suspended.  */
bool outlined_is_resumed(location_t location, basic_block bb);

/* Returns the location of the construct whose body the statement passes to libgomp, or
   UNKNOWN_LOCATION.  The call itself has no location.  May be called at any time.  */
location_t outlined_construct(const gimple *statement);

/* In plugin_init.  */
void predict_register(const char *plugin);

/* Whether BB ends with a condition or a switch.  */
bool predict_is_branch(basic_block bb);

/* Puts a mark (asmmark.h) at the condition or switch that ends BB.  Behind the last
   inlining a pass makes a predictor of each mark, and the counter NUMBER of the flow
   graph FLOW counts the mispredictions.  Marks on edges are committed by the caller.  */
void predict_mark(basic_block bb, uint64_t flow, unsigned number);

#endif
