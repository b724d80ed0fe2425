/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays out a table on the screen as MLton's mlprof does: the first column to the left,
   the others to the right, headings centred over a row of dashes, one blank between
   columns, no blank trimmed.  */

#ifndef MLPROF_LAYOUT_H
#define MLPROF_LAYOUT_H

#include <stddef.h>
#include <stdio.h>

/* Prints a table with COLUMNS columns: HEADS are their headings, CELLS has ROWS times
   COLUMNS texts, row by row.  On a terminal, texts of the first column are shortened if a
   row would not fit into a line; elsewhere very long texts push the rest of their row to
   the right.  */
void layout_print(FILE *out, const char *const *heads, size_t columns, char *const *cells,
                  size_t rows);

#endif
