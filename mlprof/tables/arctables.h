/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what one executable or shared object counts of GCC's own profile, from
   .ccprof.arcs, .ccprof.edge, .ccprof.values and .ccprof.callees (doc/tables.md,
   "Arcs"), for export/gcda.c.  */

#ifndef MLPROF_ARCTABLES_H
#define MLPROF_ARCTABLES_H

#include "mlprof/tables/edgeterms.h"
#include "mlprof/tables/tables.h"
#include "rt/format.h"

/* A function in a .gcda file: in several objects, one in the file of each.  */
struct arctables_function {
    uint32_t gcov; /* the version of the file */
    uint32_t ident, lineno, checksum;
    uint32_t arcs; /* with counters */
    /* Of the flow graph, whose entry is block 0 and whose exit block 1; 0: it is not
       told.  */
    uint32_t blocks;
    size_t first_edge, edges; /* in the order of the blocks they come from */
    uint32_t indirect;        /* calls by a pointer */
    size_t first_list, lists;
    /* The texts live as long as the tables.  */
    const char *object; /* the path of the file without its suffix */
    const char *symbol;
};

/* An arc of the graph.  Those that are counted are numbered in the order in which they
   stand.  */
struct arctables_edge {
    uint32_t from, to;
    bool counted, below; /* BELOW: it may have been taken less than 0 times */
};

/* An operand of which GCC wants to know the frequent values.  */
struct arctables_list {
    enum ccprof_list kind;
    uint32_t block; /* it is in */
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
