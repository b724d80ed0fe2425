/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view that tells who called a function, or whom it called.  */

#ifndef MLPROF_KIN_H
#define MLPROF_KIN_H

#include "mlprof/view/view.h"

#define KIN_OUTSIDE "<outside>"

enum kin { KIN_CALLERS, KIN_CALLEES };

/* A table for each row that matches, with a line that names it: its direct callers or
   callees by the samples with such a call on the stack, those that reach the threshold.
   Returns how many rows matched.  */
size_t kin_print(FILE *out, const struct view *view, const struct pattern *pattern,
                 enum kin kin);

#endif
