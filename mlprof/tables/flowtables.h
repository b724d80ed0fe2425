/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the flow graphs of one executable or shared object and the counters of their
   edges, from .ccprof.flow and .ccprof.edge (doc/tables.md, "Flow graphs"). A flow
   graph is the control flow graph of a source function before optimization. Used by
   flow/. */

#ifndef MLPROF_FLOWTABLES_H
#define MLPROF_FLOWTABLES_H

#include "mlprof/base/buf.h"
#include "mlprof/tables/reader.h"
#include "rt/format.h"
#include "mlprof/base/index.h"
#include "mlprof/tables/counters.h"
#include "mlprof/tables/tables.h"

/* The numbers of the two blocks that every graph has. */
#define FLOWGRAPH_ENTRY 0
#define FLOWGRAPH_EXIT  1

struct flowgraph_position {
    const char *file; /* NULL: unknown */
    uint32_t line, column;
};

/* From the first to the last character. If the range is unknown, it has only the
   position itself. */
struct flowgraph_range {
    uint32_t start_line, start_column, end_line, end_column;
};

struct flowgraph_call {
    const char *callee; /* symbol; NULL: an indirect call */
    struct flowgraph_position position;
};

struct flowgraph_case {
    bool is_default;
    int64_t first, last; /* unsigned values have the same bits */
};

/* A part of one of the graph's arrays. */
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

/* Starts as all zero. Texts point into the section. */
struct flowgraph {
    const char *input, *symbol; /* "": unknown */
    unsigned flags;             /* of enum ccprof_flow */
    struct flowgraph_position start;
    uint32_t end_line;
    /* Other names of the function, by which other compilations may call it. */
    BUF_VECTOR(const char *) aliases;
    BUF_VECTOR(const char *) strings;
    BUF_VECTOR(struct flowgraph_block) blocks;
    BUF_VECTOR(struct flowgraph_position) positions;
    struct flowgraph_range *ranges; /* range of each position */
    size_t range_capacity;
    BUF_VECTOR(struct flowgraph_call) calls;
    BUF_VECTOR(struct flowgraph_edge) edges;
    BUF_VECTOR(struct flowgraph_case) cases;
};

/* The flow graph of a source function. If several graphs have the same ID, only the
   first one is kept. */
struct flowtables_flow {
    uint64_t id;
    const struct unit *unit;
    uint32_t source; /* number in the unit, not 0 */
    struct flowgraph graph;
};

struct flowtables {
    BUF_VECTOR(struct flowtables_flow) flows; /* in the order of the file */
    BUF_VECTOR(struct edgeterms_counter) counters;
    /* Counters of mispredictions. EDGE is the number of the block that ends with the
       branch. */
    BUF_VECTOR(struct edgeterms_counter) missed;
};

/* Fills FLOWS from the file of TABLES; the result may be empty. The caller must free
   it with flowtables_free, even after an error. FLOWS must not be used after TABLES is
   closed. If a table is damaged, returns false and sets FAULT. */
bool flowtables_read(struct flowtables *flows, const struct tables *tables,
                     struct fault *fault);

void flowtables_free(struct flowtables *flows);

/* Finds the function that a call in a flow graph refers to by its symbol. A local
   symbol is found only from its own compilation. Starts as all zero. */
struct flowsymbols {
    struct intern texts;
    /* The key is: symbol; compilation if the symbol is local, else 0; module if the
       symbol is local, else 0. */
    struct index symbols;
    uint32_t *functions; /* function of each symbol */
    size_t capacity;
};

/* Adds the function of FLOW in MODULE by its symbol and its aliases. FUNCTION is the
   number that the caller uses for the function. If several functions have the same
   symbol, the first function is kept. */
void flowsymbols_put(struct flowsymbols *symbols, const struct flowtables_flow *flow,
                     uint32_t module, uint32_t function);

/* Sets *FUNCTION to the function that FLOW in MODULE calls by SYMBOL. Returns false if
   no added function has this symbol. */
bool flowsymbols_get(struct flowsymbols *symbols, const struct flowtables_flow *flow,
                     uint32_t module, const char *symbol, uint32_t *function);

void flowsymbols_free(struct flowsymbols *symbols);

#endif
