/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of what changed between two sides, and of what a formula makes of
   it, for all outputs.  */

#ifndef MLPROF_CHANGES_TABLE_H
#define MLPROF_CHANGES_TABLE_H

#include "mlprof/compare/change.h"
#include "mlprof/compare/formula.h"
#include "mlprof/table/table.h"
#include "mlprof/view/view.h"

struct changes_view {
    const struct match *match;
    const struct side *sides[2];
    const char *programs[2];
    double sizes[2]; /* of the inputs, for formulas */
    bool show_line;  /* file and line behind the name */
    size_t top;      /* most rows; 0: all */
    double thresh;   /* least percentage, before or after, of what is shown */
};

/* The table, which table_free frees, has all CHANGES, whatever is shown.  FORMULA, which
   may be NULL, has a column in front on a terminal.  */
struct table changes_table_make(const struct changes_view *view,
                                const struct changes *changes,
                                const struct formula *formula);

/* Leaves the rows that a terminal shows: those of the formula by its value, the greatest
   first; without one those that have changed, or may have.  */
void changes_table_choose(struct table *table);

/* Puts CHANGES into the order of a column that is asked for; if there is none they stay
   as they are.  */
void changes_table_sort(const struct changes_view *view, struct changes *changes,
                        enum view_order order);

/* Not all changes are exact, so that tables tell how certain they are.  */
bool changes_table_is_uncertain(const struct changes *changes);

/* The columns of that table.  */
extern const struct table_view changes_table;

#endif
