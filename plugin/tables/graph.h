/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph: the control flow graph of one source function, as described in doc/tables.md,
   "Flow graphs", and its encoding. Block 0 is the entry, block 1 the exit.
   plugin/count/flow-graph.cc makes the graphs; plugin/train uses graph_id. This module
   does not use GCC. */

#ifndef CCPROF_GRAPH_H
#define CCPROF_GRAPH_H

#include "plugin/tables/memory.h"
#include "rt/format.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FILE is a string of the graph. Lines and columns start at 1; 0: unknown. */
struct graph_position {
    unsigned file, line, column;
};

/* The first and the last character of the code at a position. All members are 0 if the
   range is unknown or is one character. */
struct graph_range {
    unsigned start_line, start_column, end_line, end_column;
};

struct graph_place {
    struct graph_position position;
    struct graph_range range;
};

struct graph_call {
    unsigned callee; /* a string; 0: indirect call */
    struct graph_position position;
};

struct graph_case {
    enum ccprof_case kind;
    int64_t first, last;
};

struct graph_edge {
    unsigned from, to;
    unsigned flags; /* enum ccprof_edge */
    int left_out;   /* the edge is not written and has no number */
    size_t cases, case_count;
};

struct graph_block {
    size_t positions, position_count;
    size_t calls, call_count;
    enum ccprof_branch branch;
    struct graph_position branch_position;
};

/* A graph that is all zeros is empty. */
struct graph {
    struct distinct strings;
    struct distinct seen;          /* positions that each block already has */
    int has_ranges;                /* positions are written with their ranges */
    unsigned input, symbol, flags; /* flags: enum ccprof_flow */
    struct graph_position start;
    unsigned end_line, end_column;
    struct graph_block *blocks;
    unsigned *aliases; /* strings */
    struct graph_place *positions;
    struct graph_call *calls;
    struct graph_edge *edges;
    struct graph_case *cases;
    size_t block_count, position_count, call_count, edge_count, case_count, alias_count;
    size_t block_room, position_room, call_room, edge_room, case_room, alias_room;
};

/* Adds another name of the function. SYMBOL is a string of the graph. */
void graph_alias(struct graph *graph, unsigned symbol);

/* Starts the next block. graph_position, graph_call and graph_branch add to this
   block. */
void graph_block(struct graph *graph);

/* Adds a position to the block, unless FILE is 0 or the block already has this
   position and range. The range is ignored if the graph has no ranges. */
void graph_position(struct graph *graph, struct graph_position position,
                    struct graph_range range);

void graph_call(struct graph *graph, unsigned callee, struct graph_position position);
void graph_branch(struct graph *graph, enum ccprof_branch branch,
                  struct graph_position position);

/* graph_edge adds an edge and returns its number. FROM may be any block. graph_case
   adds a case to the last edge. */
size_t graph_edge(struct graph *graph, unsigned from, unsigned to, unsigned flags);
void graph_case(struct graph *graph, enum ccprof_case kind, int64_t first, int64_t last);

void graph_clear(struct graph *graph);

/* Returns the encoded graph, which follows `length' in the tables. Free it with
   memory_free. The tables number the edges by their source block, and within a block
   in the order in which they were added. Sets NUMBERS, which is indexed by edge, to
   these numbers. */
unsigned char *graph_encode(const struct graph *graph, unsigned *numbers, size_t *size);

/* Returns the id of a flow graph: the 64-bit FNV-1a hash of its bytes. */
uint64_t graph_id(const unsigned char *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
