/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the table of decisions for all outputs: how conditions and switches came
   out.  */

#ifndef MLPROF_BRANCHES_H
#define MLPROF_BRANCHES_H

#include "mlprof/rows/lines.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/views.h"

/* Fills TABLE with the decisions of the functions that are WANTED by row.
   Those that were never executed are left out if REACHED.  Returns how many these
   are.  */
size_t branches_make(struct table *table, const struct view *view, const bool *wanted,
                     bool reached);

/* Sorts by the column ORDER; if there is none, the branch that is harder to predict comes
   first, of equals the one that was decided more often.  */
void branches_sort(struct table *table, enum view_order order);

/* How often all of the table's rows were decided.  */
uint64_t branches_total(const struct table *table);

#endif
