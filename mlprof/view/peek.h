/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints functions between their callers and callees, as pprof's -peek.  */

#ifndef MLPROF_PEEK_H
#define MLPROF_PEEK_H

#include "mlprof/view/view.h"

/* A table for each row that PATTERN means (names_contain), that with the largest stack
   first: its direct callers by the samples with such a call on the stack, the function,
   and its callees; those that reach the threshold.  Returns how many rows matched.  */
size_t peek_print(FILE *out, const struct view *view, const struct pattern *pattern);

#endif
