/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints comparisons: the table of changes between two sides or of a formula, and the
   lines above and below it.  */

#ifndef MLPROF_COMPAREVIEW_H
#define MLPROF_COMPAREVIEW_H

#include "mlprof/compare/changes-table.h"

#include <stdio.h>

/* FORMULA may be NULL; otherwise rows are sorted by its value, where a and b are seconds
   or counts.  */
void compareview_print(FILE *out, const struct changes_view *view,
                       const struct changes *changes, const struct formula *formula);

#endif
