/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the functions of a program, for the graph of a program of which nothing was
   measured.  */

#ifndef MLPROF_CATALOG_H
#define MLPROF_CATALOG_H

#include "mlprof/names/names.h"
#include "mlprof/rows/rows.h"
#include "mlprof/tables/flowtables.h"

/* Fills ROWS, which rows_free frees and which lives as long as TABLES, with a row without
   samples for each source function that has code in TABLES, sorted by name, and an edge
   for each inlined call.  With FLOWS, those of the same file, which may be NULL, there is
   an edge for each direct call, too, as far as these tell of them: where blocks can be
   counted; if nothing but these can be, TABLES tell of no code, and all the functions
   that were compiled have rows.  Functions that SPLIT means (names_match; may be NULL)
   have a row for each copy, and only the inlined calls.  */
void catalog_fill(struct rows *rows, struct tables *tables, const struct patterns *split,
                  const struct names_style *style, const struct flowtables *flows);

#endif
