/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the values of a function in a .gcda file (GCC: value-prof.h), for gcda.c: whom
   its indirect calls called, which operands are frequent, and when it was executed for
   the first time.  GCC reads all kinds or none: those that are not counted are such as it
   makes nothing of.  */

#ifndef MLPROF_GCDA_VALUES_H
#define MLPROF_GCDA_VALUES_H

#include "mlprof/flow/arccounts.h"

#include <stdio.h>

/* The records behind that of the arcs.  */
void gcda_values_put(FILE *out, const struct arccounts_function *function);

#endif
