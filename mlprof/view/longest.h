/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the longest calls of a region, with when and where they were, of a run that has
   kept its calls one by one (CCPROF=events=N).  For histogram.c.  */

#ifndef MLPROF_LONGEST_H
#define MLPROF_LONGEST_H

#include "mlprof/regions/regionevents.h"
#include "mlprof/view/view.h"

/* Of the row with the number ROW of the view's regions; nothing if no call of it is among
   the events.  */
void longest_print(FILE *out, const struct view *view, const struct regionevents *events,
                   size_t row);

#endif
