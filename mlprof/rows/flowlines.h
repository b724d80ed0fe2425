/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds to the lines of functions how often they were executed, for the listing.  */

#ifndef MLPROF_FLOWLINES_H
#define MLPROF_FLOWLINES_H

#include "mlprof/flow/flowcounts.h"
#include "mlprof/rows/lines.h"

/* Adds to LINES the counts of those that have code in the functions that are WANTED, and
   lines that were not there; of functions with several flows the sum.  */
void flowlines_add(struct lines *lines, const struct flowcounts *counts,
                   const struct rows *rows, const bool *wanted);

#endif
