/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the function that a call in a flow graph names by its symbol, for what tells who
   calls whom (arcs/arcs, evaluate/catalog).  A symbol that is local to a compilation is
   found from there alone.  */

#ifndef MLPROF_FLOWSYMBOLS_H
#define MLPROF_FLOWSYMBOLS_H

#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
#include "mlprof/tables/flowtables.h"

/* Starts as all zero.  */
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
