/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the tables that -json and -csv tell of, and fills them from a view.  Names and
   order of their columns are a format (mlprof(1), "FORMATS"; doc/mlprof.schema.json): new
   ones come at the end.  */

#ifndef MLPROF_DATATABLES_H
#define MLPROF_DATATABLES_H

#include "mlprof/export/export.h"
#include "mlprof/table/table.h"

/* Each adds the rows to TABLE, whose columns are given VIEW; table_free frees it.  All
   rows are there, in an order that depends on nothing but what was measured; those that
   are ASKED for, if CSV asks.  */
typedef void datatables_fill(struct table *table, const struct view *view,
                             const struct export_asked *asked);

/* In datatables-regions.c; ASKED means regions by their names.  */
datatables_fill datatables_regions, datatables_region_buckets, datatables_region_events;
extern const struct table_view datatables_bucket_view, datatables_event_view;

struct datatables_table {
    enum export_table table;
    const struct table_view *view;
    datatables_fill *fill;
};

extern const struct datatables_table datatables_all[];
extern const size_t datatables_count;

#endif
