/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints who called a function, or whom it called.  */

#ifndef MLPROF_CALLERS_H
#define MLPROF_CALLERS_H

#include "mlprof/view/neighbours.h"

/* A table for each row that matches, with a line that names it: its direct callers or
   callees by the samples with such a call on the stack, those that reach the threshold.
   Returns how many rows matched.  */
size_t callers_print(FILE *out, const struct view *view, const struct pattern *pattern,
                     enum neighbours_side side);

#endif
