/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints comparisons: the table of changes between two sides, and that of a formula.  */

#ifndef MLPROF_COMPAREVIEW_H
#define MLPROF_COMPAREVIEW_H

#include "mlprof/base/sheet.h"
#include "mlprof/compare/change.h"
#include "mlprof/compare/formula.h"

#include <stdio.h>

struct compareview {
    const struct match *match;
    const struct side *sides[2];
    const char *programs[2];
    double sizes[2]; /* of the inputs, for formulas */
    bool show_line;  /* file and line behind the name */
    size_t top;      /* most rows; 0: all */
    double thresh;   /* least percentage, before or after, of what is shown */
};

void compareview_print(FILE *out, const struct compareview *view,
                       const struct changes *changes);

/* The rows by what FORMULA makes of them, greatest first; a and b are seconds, or
   counts.  */
void compareview_print_formula(FILE *out, const struct compareview *view,
                               const struct changes *changes,
                               const struct formula *formula);

/* What a measure is called in headings: `seconds', `calls'.  */
const char *compareview_unit(const struct side *side, enum side_measure measure);

/* For each row of the match whether another one is shown alike; to be freed.  */
bool *compareview_alike(const struct match *match, const struct side *const *sides);

/* Puts the name of a row, with its file and line if WITH_LINE, into the last column.  */
void compareview_put_name(struct sheet *sheet, const struct match *match,
                          const struct side *const *sides, size_t row, bool with_line);

#endif
