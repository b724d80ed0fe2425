/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of who called whom for all outputs: data formats have all pairs, the
   terminal the neighbours of one function, where it names the other one of the pair.  */

#ifndef MLPROF_PAIRS_TABLE_H
#define MLPROF_PAIRS_TABLE_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/table/table.h"
#include "mlprof/view/views.h"

/* The one of the two that the terminal names; both are the same in the row of a function
   itself, between its neighbours.  */
enum pairs_table_named { PAIRS_TABLE_CALLER, PAIRS_TABLE_CALLEE, PAIRS_TABLE_ITSELF };

struct pairs_table_row {
    uint32_t caller, callee; /* rows; STACKS_NONE: outside; ARCS_OTHERS */
    uint64_t weight;         /* what was sampled of such calls */
    struct arcs_calls calls; /* what was counted */
    bool counted;
    enum pairs_table_named named;
};

/* What columns are given beside a row.  */
struct pairs_table_of {
    const struct view *view;
    bool peek;      /* a function stands between its callers and callees */
    bool estimated; /* a row has bounds in place of a count */
};

extern const struct table_view pairs_table;

/* The rows of data formats: the callers or the callees of the functions asked for.  */
views_fill pairs_table_fill_callers, pairs_table_fill_callees;

#endif
