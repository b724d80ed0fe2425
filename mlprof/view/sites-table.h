/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of call sites for all outputs: whom each called how often.  Data
   formats have what was counted, the terminal also the shares of calls by pointers.  */

#ifndef MLPROF_SITES_TABLE_H
#define MLPROF_SITES_TABLE_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/table/table.h"
#include "mlprof/view/views.h"

/* A call site and one of those that it calls.  */
struct sites_table_row {
    const struct arcs_site *site;
    const struct rows_row *callee; /* NULL: no row's, or not known */
    char *other; /* its name on the terminal, to be freed, if it is none's */
    struct arcs_calls calls;
};

/* Its columns are given a view.  */
extern const struct table_view sites_table;

/* The rows of data formats.  */
views_fill sites_table_fill;

#endif
