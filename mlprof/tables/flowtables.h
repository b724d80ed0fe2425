/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the flows of one executable or shared object and the counters of their edges,
   from .ccprof.flow and .ccprof.edge (doc/tables.md, "Flow graphs").  */

#ifndef MLPROF_FLOWTABLES_H
#define MLPROF_FLOWTABLES_H

#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
#include "mlprof/tables/countertables.h"
#include "mlprof/tables/flowgraph.h"
#include "mlprof/tables/tables.h"

/* A source function.  If several flows have one id, only the first is kept.  */
struct flowtables_flow {
    uint64_t id;
    const struct unit *unit;
    uint32_t source; /* number in the unit, not 0 */
    struct flowgraph graph;
};

struct flowtables {
    struct flowtables_flow *flows; /* in the order of the file */
    size_t flow_count, flow_capacity;
    struct edgeterms_counter *counters;
    size_t counter_count, counter_capacity;
    /* Those of mispredictions; EDGE is the number of the block that the branch ends.  */
    struct edgeterms_counter *missed;
    size_t missed_count, missed_capacity;
};

/* Fills FLOWS, which flowtables_free frees in any case, from the file of TABLES; there
   may be no flows.  FLOWS lives as long as TABLES.  False and FAULT if a table is
   damaged.  */
bool flowtables_read(struct flowtables *flows, const struct tables *tables,
                     struct fault *fault);

void flowtables_free(struct flowtables *flows);

/* Finds the function that a call in a flow graph names by its symbol.  A symbol that is
   local to a compilation is found from there alone.  Starts as all zero.  */
struct flowsymbols {
    struct intern texts;
    /* Key: symbol; file compiled, if the symbol is local to it; module.  */
    struct index symbols;
    uint32_t *functions; /* by number of the symbol */
    size_t capacity;
};

/* Adds the function of FLOW in MODULE, which the caller calls FUNCTION, by its symbol and
   its aliases.  Of several functions with one symbol the first stays.  */
void flowsymbols_put(struct flowsymbols *symbols, const struct flowtables_flow *flow,
                     uint32_t module, uint32_t function);

/* Sets *FUNCTION to the one that FLOW in MODULE calls by SYMBOL; false: it is outside. */
bool flowsymbols_get(struct flowsymbols *symbols, const struct flowtables_flow *flow,
                     uint32_t module, const char *symbol, uint32_t *function);

void flowsymbols_free(struct flowsymbols *symbols);

#endif
