/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the tables of regions and of their calls for all outputs (regions-table.c), and
   prints what stands around views of regions (regionsview.c).  */

#ifndef MLPROF_REGIONSVIEW_H
#define MLPROF_REGIONSVIEW_H

#include "mlprof/base/fault.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/views.h"

/* False, and FAULT of the OPTION, if no regions were measured.  */
bool regionsview_check(const struct view *view, const char *option, struct fault *fault);

/* The first line above such views: how much was measured.  */
void regionsview_print_header(FILE *out, const struct view *view);

/* The calls that did not come to their end, if there are any, and what it cost to
   measure.  */
void regionsview_print_foot(FILE *out, const struct view *view);

/* Rows are struct regionrows_row of the view's regions.  */
extern const struct table_view regions_table, regions_cold_table;

/* The rows of data formats; the pattern means regions by their names.  */
views_fill regions_table_fill;

/* The view's regions, told apart as its style says.  */
const struct regionrows *regions_table_rows(const struct view *view);

extern const struct table_view buckets_table, events_table;

views_fill regions_table_fill_buckets, regions_table_fill_events;

#endif
