/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of who called whom for all outputs.  Data formats have all pairs.
   The terminal has the neighbours of one function, and names the other function of each
   pair.  */

#ifndef MLPROF_PAIRS_TABLE_H
#define MLPROF_PAIRS_TABLE_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/views.h"

/* Which function of a pair the terminal names.  In the row of a function itself, between
   its neighbours, both are the same.  */
enum pairs_table_named { PAIRS_TABLE_CALLER, PAIRS_TABLE_CALLEE, PAIRS_TABLE_ITSELF };

struct pairs_table_row {
    uint32_t caller, callee; /* rows; STACKS_NONE: outside; ARCS_OTHERS: several */
    uint64_t weight;         /* samples of these calls */
    struct arcs_calls calls; /* the counted calls */
    bool counted;
    enum pairs_table_named named;
};

/* The context of the columns.  */
struct pairs_table_of {
    const struct view *view;
    bool peek;      /* a function is shown between its callers and callees */
    bool estimated; /* a row has bounds in place of a count */
};

extern const struct table_view pairs_table;

/* Add the rows for data formats: the callers or the callees of the functions that were
   asked for.  */
views_fill pairs_table_fill_callers, pairs_table_fill_callees;

#endif
