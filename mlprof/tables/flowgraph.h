/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes one flow of .ccprof.flow, the control flow graph of a source function as it was
   written (doc/tables.md, "Flow graphs"), for flowtables.c.  */

#ifndef MLPROF_FLOWGRAPH_H
#define MLPROF_FLOWGRAPH_H

#include "mlprof/base/reader.h"
#include "rt/format.h"

struct flowgraph_position {
    const char *file; /* NULL: unknown */
    uint32_t line, column;
};

/* From the first to the last character.  If no range is known, it is the position
   alone.  */
struct flowgraph_range {
    uint32_t start_line, start_column, end_line, end_column;
};

struct flowgraph_call {
    const char *callee; /* the symbol; NULL: the call is indirect */
    struct flowgraph_position position;
};

struct flowgraph_case {
    bool is_default;
    int64_t first, last; /* the bits of unsigned values */
};

/* A part of one of the graph's arrays.  */
struct flowgraph_span {
    uint32_t first, count;
};

struct flowgraph_edge {
    uint32_t from, to; /* blocks */
    unsigned flags;    /* of enum ccprof_edge */
    struct flowgraph_span cases;
};

struct flowgraph_block {
    struct flowgraph_span positions, calls, edges;
    enum ccprof_branch branch;
    struct flowgraph_position branch_position;
};

/* Starts as all zero.  May be filled again and again.  Texts point into the section.  */
struct flowgraph {
    const char *input, *symbol; /* "": unknown */
    unsigned flags;             /* of enum ccprof_flow */
    struct flowgraph_position start;
    uint32_t end_line, end_column;
    /* The symbols that other compilations may know the function by.  */
    const char **aliases;
    size_t alias_count, alias_capacity;
    const char **strings;
    size_t string_count, string_capacity;
    struct flowgraph_block *blocks;
    size_t block_count, block_capacity;
    struct flowgraph_position *positions;
    size_t position_count, position_capacity;
    struct flowgraph_range *ranges; /* by number of the position */
    size_t range_capacity;
    struct flowgraph_call *calls;
    size_t call_count, call_capacity;
    struct flowgraph_edge *edges;
    size_t edge_count, edge_capacity;
    struct flowgraph_case *cases;
    size_t case_count, case_capacity;
};

/* Reads a flow graph of VERSION behind its length; READER ends with it.  Returns false if
   something is wrong; READER then says what.  */
bool flowgraph_read(struct flowgraph *graph, struct reader *reader, unsigned version);

void flowgraph_free(struct flowgraph *graph);

#endif
