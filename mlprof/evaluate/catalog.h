/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the functions that a program consists of, for the graph of a program of which
   nothing was measured.  */

#ifndef MLPROF_CATALOG_H
#define MLPROF_CATALOG_H

#include "mlprof/names/names.h"
#include "mlprof/rows/rows.h"

/* Fills ROWS, which rows_free frees, with a row of no samples for each source function
   that there is code of in TABLES, by their names, and with an edge for each call that
   was inlined.  Functions that SPLIT means (names_match_in), NULL if none, have a row for
   each copy.  Lives as long as the tables.  */
void catalog_fill(struct rows *rows, struct tables *tables, const struct patterns *split,
                  const struct names_style *style);

#endif
