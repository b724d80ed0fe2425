/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of functions, or of other groups of samples (-by): its columns for all
   outputs, and its printing. prof.c (MLton's layout) and callgraph.c (boxes) use some of
   the columns. */

#ifndef MLPROF_ROWS_TABLE_H
#define MLPROF_ROWS_TABLE_H

#include "mlprof/columns/table.h"
#include "mlprof/view/view.h"

/* Marks a percentage that may not differ from the percentage in the row above (95 %). */
#define ROWS_TABLE_MARK "~"

extern const struct table_view rows_table_groups;

/* Makes TABLE for rows of ROWS, without adding rows. The caller frees TABLE with
   table_free. VIEW says which data was measured. BRIEF: only the columns of MLton's
   layout. */
void rows_table_make(struct table *table, const struct view *view,
                     const struct rows *rows, bool brief);

/* Facts about the printed rows that the lines below the table report. */
struct rows_table_notes {
    bool marked; /* a row is marked with ROWS_TABLE_MARK */
    /* NEVER: the number of rows omitted because they were never executed. NEVER_CAME:
       the number of branches omitted because their outcome never occurred. */
    size_t never, never_came;
    bool sorted; /* by the requested column */
};

/* Called for each printed row, with its number of lines. */
typedef void rows_table_put(void *context, const struct view *view,
                            const struct rows_row *row, size_t lines);

/* Prints the rows whose self share reaches the threshold. The style gives the order
   of the rows and their maximum number. Calls PUT with CONTEXT, unless PUT is NULL. */
struct rows_table_notes rows_table_print(FILE *out, const struct view *view,
                                         rows_table_put *put, void *context);

/* Returns the line that says how many rows were omitted, or NULL if none were. The
   caller frees it. */
char *rows_table_never(const struct view *view, const struct rows_table_notes *notes);

#endif
