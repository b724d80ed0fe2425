/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of how functions grow with the size of the input, for all
   outputs.  */

#ifndef MLPROF_GROWTH_TABLE_H
#define MLPROF_GROWTH_TABLE_H

#include "mlprof/compare/growth.h"
#include "mlprof/table/table.h"

#include <stdio.h>

/* The table for data formats, which table_free frees, with a row for each function and
   size.  */
struct table growth_table_make(const struct growth *growth);

/* Prints the table of a terminal, with a row for each function that is shown, and a
   column for each size.  */
void growth_table_print(FILE *out, const struct growth *growth);

/* The columns of that table.  */
extern const struct table_view growth_table;

#endif
