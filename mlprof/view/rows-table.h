/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the tables of rows for all outputs: functions, and whatever else samples are
   grouped by (-by).  MLton's layout and the boxes of graphs use some of the same
   columns.  */

#ifndef MLPROF_ROWS_TABLE_H
#define MLPROF_ROWS_TABLE_H

#include "mlprof/columns/table.h"
#include "mlprof/view/view.h"

/* Stands in front of a percentage that is not certainly less than the percentage in the
   row above.  */
#define ROWS_TABLE_MARK "~"

extern const struct table_view rows_table_functions, rows_table_groups;

/* Makes TABLE, which table_free frees, for rows of ROWS, without adding rows.  VIEW says
   what was measured.  BRIEF: only MLton's columns.  */
void rows_table_make(struct table *table, const struct view *view,
                     const struct rows *rows, bool brief);

/* Marks the rows that are not certainly less than the row above, if rows are sorted by
   cur; returns whether there are any.  */
bool rows_table_mark(struct table *table);

#endif
