/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow: the flow graphs of source functions. flow_count and flow_describe make the
   graph of the current function before anything is inlined, and keep it for the
   section .ccprof.flow. flow_count also puts counters on some edges, from whose counts
   the counts of all other edges can be computed. A block of the graph ends after each
   statement that may not return. So either all of it is executed or none.

   flow.cc: chooses the edges that get counters, and writes graphs to the tables.

   flow-graph.cc: makes the graph from the function's basic blocks. It also decides
   which positions count in functions that GCC outlined from the code of another
   function: the bodies of OpenMP constructs, and coroutines.

   flow-predict.cc: predictors of branches, for the argument mispredictions.

   count.cc calls flow_count and flow_describe. plugin/ccprof.cc calls the functions
   that register and write.  */

#ifndef CCPROF_FLOW_H
#define CCPROF_FLOW_H

#include "plugin/tables/graph.h"
#include "plugin/tables/placement.h"

/* In plugin_init.  */
void flow_register(const char *plugin);

/* Makes the flow graph of the current function without counters, so that the report
   can assign code to branches. The code does not change.  */
void flow_describe(void);

/* Makes the flow graph of the current function and counts its edges. If CALLS, the
   counter of the entry edge also counts the function's calls.  */
void flow_count(bool calls);

/* Returns true if this compilation has flow graphs to write.  */
bool flow_any(void);

/* Writes the flow graphs at the end of the unit. UNIT is the label of the unit's
   table.  */
void flow_emit(const char *unit);

/* The rest is for the files of this module only.  */

/* Where code for an edge of the graph can be inserted. At most one member is set.  */
struct flow_place {
    edge on;
    gimple *behind;
    basic_block labels; /* after the labels of this block */
};

/* A basic block that ends with a branch, and the number of the graph's block that ends
   with the same branch.  */
struct flow_branch {
    basic_block bb;
    unsigned block;
};

/* The flow graph of the current function. Places and choices are indexed by the number
   of the graph's edge.  */
struct flow_graph {
    struct graph graph;
    struct flow_place *places;
    struct spanning_edge *choices;
    size_t place_room, choice_room;
    vec<struct flow_branch> predicted; /* the caller releases it */
};

/* Makes the graph of the current function. Must be called between tailcall_find and
   tailcall_forget. The graph is valid until the next call.  */
struct flow_graph *flow_graph_make(bool has_ranges);

/* Analyses the current function. The results of the next three functions are valid
   until outlined_free.  */
void outlined_find(void);
void outlined_free(void);

/* Returns true if GCC outlined the current function from the code of another function. */
bool outlined_is(void);

/* Returns true if GCC added the code at LOCATION, which only enters or leaves the
   function.  */
bool outlined_is_added(location_t location);

/* Returns true if the code at LOCATION in BB continues an execution that began before
   BB, when the coroutine was suspended.  */
bool outlined_is_resumed(location_t location, basic_block bb);

/* If the statement passes the body of a construct to libgomp, returns the location of
   the construct, because the call itself has no location. Otherwise returns
   UNKNOWN_LOCATION. May be called at any time.  */
location_t outlined_construct(const gimple *statement);

/* In plugin_init.  */
void predict_register(const char *plugin);

/* Returns true if BB ends with a condition or a switch.  */
bool predict_is_branch(basic_block bb);

/* Puts a mark (artificial.h) at the condition or switch that ends BB. After all
   inlining a pass replaces each mark by a predictor, and counter NUMBER of the flow
   graph FLOW counts its mispredictions. The caller must commit marks on edges.  */
void predict_mark(basic_block bb, uint64_t flow, unsigned number);

#endif
