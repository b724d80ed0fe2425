/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds to the lines of functions how often they were executed, for the listing.  */

#ifndef MLPROF_FLOWLINES_H
#define MLPROF_FLOWLINES_H

#include "mlprof/flow/flowcounts.h"
#include "mlprof/rows/lines.h"

/* Adds the counts of the functions that are WANTED to the entries of LINES, and makes the
   entries that are missing.  If a function has several flows their counts are summed.  */
void flowlines_add(struct lines *lines, const struct flowcounts *counts,
                   const struct rows *rows, const bool *wanted);

#endif
