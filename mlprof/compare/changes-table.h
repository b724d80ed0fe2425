/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the changes between two sides and the results of a formula. changes-table.c
   declares the table for all outputs. changes-table-view.c selects and sorts the rows
   for the terminal, and prints them with the lines above and below. */

#ifndef MLPROF_CHANGES_TABLE_H
#define MLPROF_CHANGES_TABLE_H

#include "mlprof/compare/change.h"
#include "mlprof/compare/formula.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/source-files.h"
#include "mlprof/view/view.h"

#include <stdio.h>

struct changes_view {
    const struct match *match;
    const struct runset *sides[2];
    const char *programs[2];
    double sizes[2]; /* sizes of the inputs, for formulas */
    bool show_line;  /* show file and line after the name */
    size_t top;      /* maximum number of rows; 0: all */
    double thresh;   /* minimum percentage of a row, before or after */
    bool never;      /* include rows whose values are displayed as 0 on both sides */
    bool balance;    /* print below the table how far to trust it */
    /* The source files, for the texts of lines and expressions. NULL: show no text. */
    struct source_files *files;
};

/* The context of the columns. The rows are struct change. Shared with
   changes-table-view.c. */
struct changes_table_context {
    const struct changes_view *view;
    const struct formula *formula;
    struct change_text_style style;
    bool *alike; /* name is ambiguous, by row of the match; NULL: no terminal */
    bool uncertain;
};

/* For qsort: compares rows of the match, which are in the order of names. */
int changes_table_by_row(const void *one, const void *other);

/* Returns the value of the formula for the change; there must be a formula. */
double changes_table_value(const struct changes_table_context *about,
                           const struct change *change);

/* Returns the table of all CHANGES. If FORMULA is not NULL, the first column on a
   terminal is the formula's. Free the table with table_free. */
struct table changes_table_make(const struct changes_view *view,
                                const struct changes *changes,
                                const struct formula *formula);

/* Sorts CHANGES by the column ORDER. If comparisons do not have this column, the
   order stays the same. */
void changes_table_sort(const struct changes_view *view, struct changes *changes,
                        enum view_order order);

/* Returns whether a change is not exact. Tables then show how certain changes are. */
bool changes_table_is_uncertain(const struct changes *changes);

/* The columns of the table of changes. */
extern const struct table_view changes_table;

/* Prints the table. If FORMULA is not NULL, rows are sorted by its value; a and b are
   seconds or counts. */
void changes_table_print(FILE *out, const struct changes_view *view,
                         const struct changes *changes, const struct formula *formula);

#endif
