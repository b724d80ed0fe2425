/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the functions of a program, for the graph of a program of which nothing was
   measured.  */

#ifndef MLPROF_CATALOG_H
#define MLPROF_CATALOG_H

#include "mlprof/names/names.h"
#include "mlprof/rows/rows.h"

/* Fills ROWS, which rows_free frees and which lives as long as TABLES, with a row without
   samples for each source function that has code in TABLES, sorted by name, and an edge
   for each inlined call.  Functions that SPLIT means (names_match_in; may be NULL) have a
   row for each copy.  */
void catalog_fill(struct rows *rows, struct tables *tables, const struct patterns *split,
                  const struct names_style *style);

#endif
