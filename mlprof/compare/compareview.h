/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints comparisons: the table of changes between two sides with what stands above and
   below it, or that of a formula.  */

#ifndef MLPROF_COMPAREVIEW_H
#define MLPROF_COMPAREVIEW_H

#include "mlprof/compare/changes-table.h"

#include <stdio.h>

/* With a FORMULA, which may be NULL, the rows are ordered by what it makes of them; a and
   b are seconds, or counts.  */
void compareview_print(FILE *out, const struct changes_view *view,
                       const struct changes *changes, const struct formula *formula);

#endif
