/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the table of Appel, Duba, MacQueen and Tolmach, "Profiling in the Presence of
   Optimization and Garbage Collection" (1988), which is that of Unix's prof(1): time and
   calls.  */

#ifndef MLPROF_PROF_H
#define MLPROF_PROF_H

#include "mlprof/view/view.h"

/* Rows whose cur reaches the threshold, by decreasing time, and one of what is not
   profiled, even if that has none.  */
void prof_print(FILE *out, const struct view *view);

#endif
