/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the tables of rows for all outputs: functions, and whatever else samples are
   grouped by (-by).  MLton's layout and the boxes of graphs use some of the same
   columns.  */

#ifndef MLPROF_ROWS_TABLE_H
#define MLPROF_ROWS_TABLE_H

#include "mlprof/table/table.h"
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

/* Prints the table, by default with numbers first and how far they can be trusted, or
   with MLton's columns.  */

/* What the lines below a table have to say of its rows.  */
struct rows_table_notes {
    bool marked; /* one of them is marked (rows-table.h) */
    /* Rows that were left out because they were never executed, and outcomes of branches
       that never came.  */
    size_t never, never_came;
};

/* Prints the rows whose cur reaches the threshold, in the order of the style, and no more
   than the style allows.  Sets TOLD.  */
void rows_table_print(FILE *out, const struct view *view, struct rows_table_notes *told);

/* The line that says how many rows were left out, to be freed; NULL: there are none.  */
char *rows_table_never(const struct view *view, const struct rows_table_notes *told);

#endif
