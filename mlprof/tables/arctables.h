/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the tables of the argument train. They describe the counters of an executable
   or shared object for GCC's own profile. They are in .ccprof.arcs, .ccprof.edge,
   .ccprof.values and .ccprof.callees (doc/tables.md, "Arcs"). Used by
   flow/arccounts.c. */

#ifndef MLPROF_ARCTABLES_H
#define MLPROF_ARCTABLES_H

#include "mlprof/base/buf.h"
#include "mlprof/tables/counters.h"
#include "mlprof/tables/tables.h"
#include "rt/format.h"

/* The name of a function in a profile for gcc -fauto-profile. */
struct arctables_name {
    const char *symbol;
    const char *file; /* its source file, without folders */
};

/* A function in a .gcda file. If it is in several objects, it is in the .gcda file of
   each. */
struct arctables_function {
    uint32_t gcov; /* version of the .gcda format */
    uint32_t ident, lineno, checksum;
    uint32_t arcs; /* with counters */
    /* Number of blocks of the flow graph. Block 0 is the entry and block 1 the exit.
       0: the graph is not in the tables. */
    uint32_t blocks;
    size_t first_edge, edges; /* in the order of their source blocks */
    uint32_t indirect;        /* number of indirect calls */
    size_t first_list, lists;
    size_t first_inlined, inlined;
    size_t first_block; /* first of BLOCKS elements of ENDS */
    size_t first_call;  /* first of INDIRECT elements of CALLS */
    /* The texts live as long as the tables. */
    const char *object; /* path of the .gcda file without its suffix */
    struct arctables_name name;
};

/* An arc of the graph. The arcs with counters are numbered in the order of this list. */
struct arctables_edge {
    uint32_t from, to;
    bool counted, below; /* BELOW: its count may be negative */
};

/* An operand of which GCC's profile needs the frequent values. */
struct arctables_list {
    enum ccprof_list kind;
    uint32_t block; /* block that contains the operand */
};

/* The position of a statement in GCC's own profile. BODY is 0 for the function's own
   body, or the number of an inlined body, from 1. OFFSET is the number of lines after
   the first line of the body's function, modulo 2^16. DISCRIMINATOR distinguishes
   statements on the same line. */
struct arctables_position {
    uint32_t body;
    uint16_t offset, discriminator;
};

/* An inlined body. CALL is the position of the inlined call in an earlier body. */
struct arctables_inlined {
    struct arctables_position call;
    struct arctables_name name;
};

/* An indirect call: its block (0: unknown) and its position for GCC. If GCC has no
   position, its body is UINT32_MAX. */
struct arctables_call {
    uint32_t block;
    struct arctables_position position;
};

/* The meaning of an address at which the runtime records values.

     CALL 0: the counter of the function's first execution.
     CALL 1 to the number of indirect calls in the function: the site of this call.
     Greater CALL: after subtracting the number of indirect calls, the number of a list
     of the function, from 1. */
struct arctables_value {
    uint64_t address;
    uint32_t function, call;
};

/* A function that may be called indirectly. */
struct arctables_callee {
    uint64_t address;
    uint32_t ident;
};

struct arctables {
    BUF_VECTOR(struct arctables_function) functions; /* in the order of the file */
    BUF_VECTOR(struct arctables_edge) edges;
    BUF_VECTOR(struct arctables_list) lists;
    BUF_VECTOR(struct arctables_inlined) inlined;
    BUF_VECTOR(struct arctables_position) positions; /* of all blocks, grouped by block */
    BUF_VECTOR(size_t) ends; /* end of each block's group in POSITIONS */
    BUF_VECTOR(struct arctables_call) calls;
    /* In these counters, FLOW is the number of the function, and EDGE is the number of
       the arc. */
    BUF_VECTOR(struct edgeterms_counter) counters;
    BUF_VECTOR(struct arctables_value) values;
    BUF_VECTOR(struct arctables_callee) callees;
};

/* Fills ARCS from the file of TABLES; the result may be empty. The caller must free it
   with arctables_free, even after an error. ARCS must not be used after TABLES is
   closed. If a table is damaged, returns false and sets FAULT. */
bool arctables_read(struct arctables *arcs, const struct tables *tables,
                    struct fault *fault);

void arctables_free(struct arctables *arcs);

#endif
