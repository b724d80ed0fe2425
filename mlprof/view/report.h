/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the table, by default with numbers first and how far they can be trusted, or
   with MLton's columns.  */

#ifndef MLPROF_REPORT_H
#define MLPROF_REPORT_H

#include "mlprof/view/view.h"

/* What the lines below a table have to say of its rows.  */
struct report_told {
    bool marked; /* one of them is marked (rows-table.h) */
    /* Rows that were left out because they were never executed, and outcomes of branches
       that never came.  */
    size_t never, never_came;
};

/* Prints the rows whose cur reaches the threshold, in the order of the style, and no more
   than the style allows.  Sets TOLD.  */
void report_print(FILE *out, const struct view *view, struct report_told *told);

/* The line that says how many rows were left out, to be freed; NULL: there are none.  */
char *report_never(const struct view *view, const struct report_told *told);

#endif
