/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of functions, and of whatever else samples are grouped by (-by): its columns
   for all outputs, and its printing.  MLton's layout and the boxes of graphs use some of
   the same columns.  */

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

/* What the lines below the table report about its rows.  */
struct rows_table_notes {
    bool marked; /* a row is marked with ROWS_TABLE_MARK */
    /* The number of rows that were left out because they were never executed, and of
       branches whose outcome never occurred.  */
    size_t never, never_came;
};

/* Prints the rows whose cur reaches the threshold, in the order of the style, and no more
   than the style allows.  Sets NOTES.  */
void rows_table_print(FILE *out, const struct view *view, struct rows_table_notes *notes);

/* The line that says how many rows were left out, to be freed; NULL: there are none.  */
char *rows_table_never(const struct view *view, const struct rows_table_notes *notes);

#endif
