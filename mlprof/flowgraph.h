/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One flow of .ccprof.flow, spelt out: the control flow graph of a source function as it
   was written (doc/tables.md, "Flow").  */

#ifndef MLPROF_FLOWGRAPH_H
#define MLPROF_FLOWGRAPH_H

#include "mlprof/reader.h"

/* Bits of a function's flags.  */
#define FLOWGRAPH_ARTIFICIAL 1
#define FLOWGRAPH_LOCAL      2
#define FLOWGRAPH_ADDRESSED  4

/* Bits of an edge's flags.  */
#define FLOWGRAPH_COUNTER     1
#define FLOWGRAPH_FAKE        2
#define FLOWGRAPH_FALLTHROUGH 4
#define FLOWGRAPH_EXCEPTION   8
#define FLOWGRAPH_ABNORMAL    16
#define FLOWGRAPH_TRUE        32
#define FLOWGRAPH_FALSE       64
#define FLOWGRAPH_CASES       128

struct flowgraph_place {
    const char *file; /* NULL: unknown */
    uint32_t line, column;
};

struct flowgraph_call {
    const char *callee; /* for the assembler; NULL: indirect */
    struct flowgraph_place place;
};

enum flowgraph_branch {
    FLOWGRAPH_PLAIN,
    FLOWGRAPH_CONDITION,
    FLOWGRAPH_SWITCH,
    FLOWGRAPH_SWITCH_UNSIGNED
};

struct flowgraph_case {
    bool is_default;
    int64_t first, last; /* bits of unsigned ones */
};

/* FIRST and COUNT in the graph's arrays.  */
struct flowgraph_span {
    uint32_t first, count;
};

struct flowgraph_edge {
    uint32_t from, to; /* blocks */
    unsigned flags;
    struct flowgraph_span cases;
};

struct flowgraph_block {
    struct flowgraph_span places, calls, edges;
    enum flowgraph_branch branch;
    struct flowgraph_place branch_place;
};

/* Starts as all zero; may be read into again and again.  Texts point into the section. */
struct flowgraph {
    const char *input, *symbol; /* "": unknown */
    unsigned flags;
    struct flowgraph_place start;
    uint32_t end_line, end_column;
    const char **strings;
    size_t string_count, string_capacity;
    struct flowgraph_block *blocks;
    size_t block_count, block_capacity;
    struct flowgraph_place *places;
    size_t place_count, place_capacity;
    struct flowgraph_call *calls;
    size_t call_count, call_capacity;
    struct flowgraph_edge *edges;
    size_t edge_count, edge_capacity;
    struct flowgraph_case *cases;
    size_t case_count, case_capacity;
};

/* Reads what follows the length, which is all that READER has.  Returns false if
   something is wrong, which READER then tells.  */
bool flowgraph_read(struct flowgraph *graph, struct reader *reader);

void flowgraph_free(struct flowgraph *graph);

#endif
