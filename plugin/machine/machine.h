/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine: counts the executions of the machine code's own blocks, for the kind
   instructions. Only plugin/ccprof.cc calls this room.

   When the machine code is finished, counters are added between its instructions.
   Nothing else in the code changes, so the other instructions are those of the plain
   build, and are executed as often. The tables (doc/tables.md, "Machine code") say which
   edge of the flow graph each instruction belongs to.

     - machine-graph.cc builds the flow graph and chooses the edges that get counters.
     - machine-insert.cc is the first pass. It inserts the code of the counters.
     - machine-segments.cc is the second pass, and writes the tables.
     - machine_code-NAME.cc has the instructions of a counter on the processor NAME.  */

#ifndef CCPROF_MACHINE_H
#define CCPROF_MACHINE_H

#include "plugin/tables/machine_table.h"

/* Called at the end of the unit: writes where the tables find the counters. UNIT is not
   used.  */
void machine_emit(const char *unit);

/* The rest of this header is for the files of this room.  */

/* The registers that hold no value at a place, by number, and whether the flags hold
   none.  */
struct machine_free {
    uint64_t registers;
    bool flags;
};

/* A block of machine code: insns of which either all are executed or none. A basic
   block of GCC is split after each call that may not return, and after each call that
   may return twice.  */
struct machine_block {
    basic_block bb;
    rtx_insn *first, *last;  /* NULL: the block has no instructions */
    rtx_insn *before;        /* where its counter goes; NULL: at the start of BB */
    struct machine_free free; /* there */
    double cost;             /* of its counter, in executed instructions */
    unsigned into, out;      /* vertices */
    size_t number;           /* of the edge that the block is */
};

/* An edge of the graph that is no block: an edge of GCC's graph with a place for a
   counter of its own.  */
struct machine_jump {
    edge e;
    rtx_insn *last; /* of the edge's source block */
    size_t number;  /* of the edge in the graph */
    struct machine_free free;
};

/* The flow graph of the current function. Edges on which no code can be put are not in
   the graph: the vertices at their ends are one vertex.  */
struct machine_graph {
    auto_vec<machine_edge> edges;
    auto_vec<machine_block> blocks; /* in the order of the code */
    auto_vec<machine_jump> jumps;
    auto_vec<unsigned> first; /* number of the first block, by index of the basic block */
    unsigned vertices, counters;
};

/* Fills GRAPH, with the numbers of the counters.  */
void machine_graph_make(struct machine_graph *graph);

/* The edge of the graph that leads from BB to the next block in the order of the code.
   MACHINE_NO_EDGE: none does.  */
size_t machine_graph_falls(const struct machine_graph *graph, basic_block bb);

/* For machine-segments.cc, before and after INSERT inserts: notes which edge each insn
   belongs to. machine_segments_start_own tells that the insns made from now on are code
   of the counter on an edge.  */
void machine_segments_begin(const struct machine_graph *graph, unsigned row);
void machine_segments_own(const rtx_insn *insn, size_t edge);

/* The instructions of a counter. Each processor has a file machine_code-NAME.cc, where
   NAME is the first word of `gcc -dumpmachine'.

   machine_code_cost returns about how many instructions an addition takes where FREE is
   free. machine_code_add returns the text of an addition of 1 to counter INDEX (from 0)
   of the row COUNTERS (storage.h). The caller frees it.  */
double machine_code_cost(const struct machine_free *free);
char *machine_code_add(tree counters, unsigned index, const struct machine_free *free);

/* The number of the flags' register, or -1.  */
int machine_code_flags(void);

#endif
