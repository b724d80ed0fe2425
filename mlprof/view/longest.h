/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the longest calls of a region, and when and in which thread they were, if the
   run has kept its calls one by one (CCPROF=events=N).  For histogram.c.  */

#ifndef MLPROF_LONGEST_H
#define MLPROF_LONGEST_H

#include "mlprof/regions/regionevents.h"
#include "mlprof/view/view.h"

/* Prints the longest calls of row number ROW of the view's regions; nothing if none of
   its calls is among EVENTS.  */
void longest_print(FILE *out, const struct view *view, const struct regionevents *events,
                   size_t row);

#endif
