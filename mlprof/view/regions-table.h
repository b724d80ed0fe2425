/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of regions for all outputs: what calls of a region took.  */

#ifndef MLPROF_REGIONS_TABLE_H
#define MLPROF_REGIONS_TABLE_H

#include "mlprof/table/table.h"
#include "mlprof/view/views.h"

/* Rows are struct regionrows_row of the view's regions.  */
extern const struct table_view regions_table, regions_cold_table;

/* The rows of data formats; the pattern means regions by their names.  */
views_fill regions_table_fill;
bool regions_table_is_asked(const struct pattern *asked,
                            const struct regionrows_row *row);

/* The view's regions, told apart as its style says.  */
const struct regionrows *regions_table_rows(const struct view *view);

/* Puts a row's name into the last column of a sheet.  */
void regions_table_put_name(const void *view, struct sheet *sheet, const void *row);

#endif
