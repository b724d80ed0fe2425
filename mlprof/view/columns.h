/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills the columns of a table's numbers, how far each can be trusted among them, for
   report.c.  */

#ifndef MLPROF_COLUMNS_H
#define MLPROF_COLUMNS_H

#include "mlprof/base/sheet.h"
#include "mlprof/view/view.h"

/* In front of a percentage that is not certainly less than the one in the row above.  */
#define COLUMNS_MARK "~"

/* Adds the columns of numbers and, last, that of names.  */
void columns_add(const struct view *view, struct sheet *sheet);

/* Puts the cells of a row.  ABOVE is the row above it if they are in the order of cur;
   otherwise NULL.  Returns whether the row is marked.  */
bool columns_put(const struct view *view, struct sheet *sheet, const struct rows_row *row,
                 const struct rows_row *above);

#endif
