/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints functions between their callers and callees, as pprof's -peek.  */

#ifndef MLPROF_PEEK_H
#define MLPROF_PEEK_H

#include "mlprof/view/view.h"

/* Marks the rows that PATTERN means (names_contain); returns how many.  */
size_t peek_find(const struct view *view, const struct pattern *pattern, bool *wanted);

/* A table for each of them, that with the largest stack first: its direct callers by the
   samples with such a call on the stack, the function, and its callees; those that reach
   the threshold.  */
void peek_print(FILE *out, const struct view *view, const bool *wanted);

#endif
