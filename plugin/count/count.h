/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count: the passes of the kind count, and the flow graphs of source functions.

   With mark=source the first statement of each source function adds 1 to a counter
   (counter.h), before anything is inlined. So every inlined copy counts, and the
   counter remains even if the optimisers remove the function. A function that is not
   compiled gets a counter too.

   If blocks or branches are requested, the edges of the function's flow graph are counted
   instead. The graph is made before anything is inlined, and kept for the section
   .ccprof.flow. Only some edges get counters; the counts of the others can be computed.

   With mark=function and mark=block counters are added after optimisation. With
   mark=function a counter counts how often the compiled function is entered. With
   mark=block a counter counts how often a basic block is executed.

   count.cc: the passes.
   flow.cc: chooses the edges that get counters, and writes graphs to the tables.
   flow-graph.cc: makes the graph from the function's basic blocks. It also decides which
   positions count in functions that GCC outlined from the code of another function: the
   bodies of OpenMP constructs, and coroutines.
   flow-predict.cc: predictors of branches, for the argument mispredictions.

   plugin/ccprof.cc calls the functions that register and write. The rest is for the files
   of this module only. */

#ifndef CCPROF_COUNT_H
#define CCPROF_COUNT_H

#include "plugin/tables/graph.h"
#include "plugin/tables/placement.h"

/* Call this in plugin_init if calls of source functions are counted. */
void count_register(const char *plugin);

/* Writes the tables of mark=function and mark=block at the end of the unit, after
   storage_emit. UNIT is the label of the unit's table. */
void count_emit(const char *unit);

/* Call these in plugin_init. predict_register is only needed for mispredictions. */
void flow_register(const char *plugin);
void predict_register(const char *plugin);

/* Returns true if this compilation has flow graphs to write. */
bool flow_any(void);

/* Writes the flow graphs at the end of the unit. UNIT is the label of the unit's
   table. */
void flow_emit(const char *unit);

/* The rest is for the files of this module only. */

/* Makes the flow graph of the current function without counters, so that the report
   can assign code to branches. The code does not change. */
void flow_describe(void);

/* Makes the flow graph of the current function and counts its edges. If CALLS is set,
   the counter of the entry edge also counts the function's calls. */
void flow_count(bool calls);

/* The place at which code for an edge of the graph can be inserted. At most one member
   is set. */
struct flow_place {
    edge on;
    gimple *behind;
    basic_block labels; /* after the labels of this block */
};

/* A basic block that ends with a branch, and the number of the graph's block that ends
   with the same branch. */
struct flow_branch {
    basic_block bb;
    unsigned block;
};

/* The flow graph of the current function. Places and choices are indexed by the number
   of the graph's edge. */
struct flow_graph {
    struct graph graph;
    struct flow_place *places;
    struct spanning_edge *choices;
    size_t place_room, choice_room;
    vec<struct flow_branch> predicted; /* the caller releases it */
};

/* Makes the graph of the current function. Must be called between tailcall_find and
   tailcall_forget. The graph is valid until the next call. */
struct flow_graph *flow_graph_make(bool has_ranges);

/* Returns true if BB ends with a condition or a switch. */
bool predict_is_branch(basic_block bb);

/* Puts a mark (artificial.h) at the condition or switch that ends BB. After all
   inlining a pass replaces each mark by a predictor, and counter NUMBER of the flow
   graph FLOW counts its mispredictions. The caller must commit marks on edges. */
void predict_mark(basic_block bb, uint64_t flow, unsigned number);

#endif
