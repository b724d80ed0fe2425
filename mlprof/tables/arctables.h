/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the tables of the argument train: what one executable or shared object counts for
   GCC's own profile, from .ccprof.arcs, .ccprof.edge, .ccprof.values and .ccprof.callees
   (doc/tables.md, "Arcs"), for flow/arccounts.c.  */

#ifndef MLPROF_ARCTABLES_H
#define MLPROF_ARCTABLES_H

#include "mlprof/tables/counters.h"
#include "mlprof/tables/tables.h"
#include "rt/format.h"

/* The name of a function in a profile for gcc -fauto-profile.  */
struct arctables_name {
    const char *symbol;
    const char *file; /* the source file it is in, without folders */
};

/* A function in a .gcda file: in several objects, one in the file of each.  */
struct arctables_function {
    uint32_t gcov; /* the version of the file */
    uint32_t ident, lineno, checksum;
    uint32_t arcs; /* with counters */
    /* Blocks of the flow graph.  Its entry is block 0 and its exit block 1.  0: the graph
       is not in the tables.  */
    uint32_t blocks;
    size_t first_edge, edges; /* in the order of the blocks they come from */
    uint32_t indirect;        /* calls by a pointer */
    size_t first_list, lists;
    size_t first_inlined, inlined;
    size_t first_block; /* of the blocks' positions; there are as many as BLOCKS */
    size_t first_call;  /* of the calls by a pointer */
    /* The texts live as long as the tables.  */
    const char *object; /* the path of the file without its suffix */
    struct arctables_name name;
};

/* An arc of the graph.  Arcs with a counter are numbered in their order.  */
struct arctables_edge {
    uint32_t from, to;
    bool counted, below; /* BELOW: it may have been taken less than 0 times */
};

/* An operand of which GCC wants to know the frequent values.  */
struct arctables_list {
    enum ccprof_list kind;
    uint32_t block; /* it is in */
};

/* Where GCC sees a statement: in a body, which is 0 for the function's own or the number
   of an inlined one from 1 on; how many lines behind the first one of its function,
   modulo 2^16; and what tells it apart there.  */
struct arctables_position {
    uint32_t body;
    uint16_t offset, discriminator;
};

/* A body that was inlined by the call at that position, which an earlier one has.  */
struct arctables_inlined {
    struct arctables_position call;
    struct arctables_name name;
};

/* A call by a pointer: its block (0: not known), and its position for GCC; the body is
   UINT32_MAX if GCC has no position.  */
struct arctables_call {
    uint32_t block;
    struct arctables_position position;
};

/* Where the runtime tells a value: a counter of the function's first execution or, with a
   CALL from 1 on, the site of that call by a pointer, or behind the calls of that list.
 */
struct arctables_value {
    uint64_t address;
    uint32_t function, call;
};

/* A function that may be called by a pointer.  */
struct arctables_callee {
    uint64_t address;
    uint32_t ident;
};

struct arctables {
    struct arctables_function *functions; /* in the order of the file */
    size_t function_count, function_capacity;
    struct arctables_edge *edges;
    size_t edge_count, edge_capacity;
    struct arctables_list *lists;
    size_t list_count, list_capacity;
    struct arctables_inlined *inlined;
    size_t inlined_count, inlined_capacity;
    struct arctables_position *positions; /* of all blocks, each block's in a row */
    size_t position_count, position_capacity;
    size_t *ends; /* by block of all functions: the end of its row */
    size_t end_count, end_capacity;
    struct arctables_call *calls;
    size_t call_count, call_capacity;
    /* FLOW is the number of the function, EDGE that of the arc.  */
    struct edgeterms_counter *counters;
    size_t counter_count, counter_capacity;
    struct arctables_value *values;
    size_t value_count, value_capacity;
    struct arctables_callee *callees;
    size_t callee_count, callee_capacity;
};

/* Fills ARCS, which arctables_free frees in any case, from the file of TABLES; there may
   be none.  ARCS lives as long as TABLES.  False and FAULT if a table is damaged.  */
bool arctables_read(struct arctables *arcs, const struct tables *tables,
                    struct fault *fault);

void arctables_free(struct arctables *arcs);

#endif
