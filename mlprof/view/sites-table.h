/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of call sites and their callees for all outputs.  Data formats have
   what was counted; the terminal also has the shares of calls by pointers.  */

#ifndef MLPROF_SITES_TABLE_H
#define MLPROF_SITES_TABLE_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/table/table.h"
#include "mlprof/view/views.h"

/* A call site and one of its callees.  */
struct sites_table_row {
    const struct arcs_site *site;
    const struct rows_row *callee; /* NULL: the callee has no row, or is not known */
    char *other; /* if CALLEE is NULL: the callee's name on the terminal, to be freed */
    struct arcs_calls calls;
};

/* Its columns are given a view.  */
extern const struct table_view sites_table;

/* The rows of data formats.  */
views_fill sites_table_fill;

#endif
