/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of changes between two sides, and of the results of a formula, for
   all outputs (changes-table.c); chooses and sorts rows for the terminal, and prints them
   with the lines above and below (changes-table-view.c).  */

#ifndef MLPROF_CHANGES_TABLE_H
#define MLPROF_CHANGES_TABLE_H

#include "mlprof/compare/calls.h"
#include "mlprof/compare/change.h"
#include "mlprof/compare/codechange.h"
#include "mlprof/compare/formula.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/source-files.h"
#include "mlprof/view/view.h"

#include <stdio.h>

struct changes_view {
    const struct match *match;
    const struct runset *sides[2];
    const char *programs[2];
    double sizes[2]; /* of the inputs, for formulas */
    bool show_line;  /* file and line behind the name */
    size_t top;      /* most rows; 0: all */
    double thresh;   /* rows need this percentage, before or after */
    bool never;      /* with rows that are shown as 0 before and after */
    bool balance;    /* tell below the table how far it can be trusted */
    /* The rows are of calls, whose functions are of MATCH; NULL: they are MATCH's.  */
    const struct calls *calls;
    /* Changes of the code, for -pgo; NULL: not requested.  */
    const struct codechange *code;
    /* The texts of lines and expressions; NULL: they have none.  */
    struct source_files *files;
};

/* The context of the columns, whose rows are struct change; for changes-table-view.c,
   too.  */
struct changes_table_of {
    const struct changes_view *view;
    const struct formula *formula;
    struct change_text_style style;
    struct runset_measure measure;
    bool *alike; /* by row of the match; NULL: the table is not for a terminal */
    bool uncertain;
    enum calls_view calls; /* of the rows that are chosen; CALLS_VIEWS: none are */
};

/* For qsort: by row of the match, and so by name.  */
int changes_table_by_row(const void *one, const void *other);

/* The row of calls of a change, or NULL; and the value of the formula, which must be
   there, for it.  */
const struct calls_row *changes_table_call(const struct changes_table_of *about,
                                           const struct change *change);
double changes_table_value(const struct changes_table_of *about,
                           const struct change *change);

/* The table of all CHANGES, which table_free frees.  If FORMULA is not NULL, a terminal
   has a column for it in front.  */
struct table changes_table_make(const struct changes_view *view,
                                const struct changes *changes,
                                const struct formula *formula);

/* Sorts CHANGES by the column ORDER.  If comparisons have no such column, the changes
   keep their order, but for those with VIEW->code, which are sorted by the value before.
 */
void changes_table_sort(const struct changes_view *view, struct changes *changes,
                        enum view_order order);

/* Whether at least one change is not exact, so that tables show how certain changes
   are.  */
bool changes_table_is_uncertain(const struct changes *changes);

/* The columns of that table.  */
extern const struct table_view changes_table;

/* FORMULA may be NULL; otherwise rows are sorted by its value, where a and b are seconds
   or counts.  */
void changes_table_print(FILE *out, const struct changes_view *view,
                         const struct changes *changes, const struct formula *formula);

#endif
