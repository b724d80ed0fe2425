/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what the threads of a program with OpenMP did: a row for each construct.  */

#ifndef MLPROF_PARALLELVIEW_H
#define MLPROF_PARALLELVIEW_H

#include "mlprof/table/table.h"
#include "mlprof/view/view.h"

/* Rows are struct constructs_row, columns are given the view.  */
extern const struct table_view parallelview_table;

void parallelview_print(FILE *out, const struct view *view);

/* What the table does not tell, since the data do not have it.  */
void parallelview_print_foot(FILE *out, const struct view *view);

#endif
