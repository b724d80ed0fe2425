/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells of stacks that end too early: the callers of a function were not found, since it
   has no tables for unwinding.  For the foot of the report, and the page's.  */

#ifndef MLPROF_BROKEN_H
#define MLPROF_BROKEN_H

#include "mlprof/view/view.h"

/* Samples whose outermost callers are not known.  */
uint64_t broken_samples(const struct rows *rows);

/* Prints how much that is, and of which functions; nothing if there are none.  */
void broken_print(FILE *out, const struct view *view);

#endif
