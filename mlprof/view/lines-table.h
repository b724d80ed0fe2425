/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of source lines for data formats.  */

#ifndef MLPROF_LINES_TABLE_H
#define MLPROF_LINES_TABLE_H

#include "mlprof/table/table.h"
#include "mlprof/view/views.h"

/* Rows are struct lines_line; columns are given a view.  */
extern const struct table_view lines_table;

views_fill lines_table_fill;

#endif
