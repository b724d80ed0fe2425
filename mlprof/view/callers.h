/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints who called a function, or whom it called.  */

#ifndef MLPROF_CALLERS_H
#define MLPROF_CALLERS_H

#include "mlprof/view/neighbours.h"

/* Marks the functions that match; returns how many.  */
size_t callers_find(const struct view *view, const struct pattern *pattern, bool *wanted);

/* A table for each of them, with a line that names it: its direct callers or callees by
   the samples with such a call on the stack, those that reach the threshold.  */
void callers_print(FILE *out, const struct view *view, const bool *wanted,
                   enum neighbours_side side);

#endif
