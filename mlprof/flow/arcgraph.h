/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the counts of a function's arcs agree with its flow graph, for arccounts.c: as
   often as control comes into a block it leaves the block, and no arc is taken less than
   0 times, but those that may be.  A run that was cut off, or left a function by longjmp,
   has counted something else, and GCC refuses to compile with a profile that contradicts
   itself.  */

#ifndef MLPROF_ARCGRAPH_H
#define MLPROF_ARCGRAPH_H

#include "mlprof/tables/arctables.h"

/* COUNTS are of the arcs of FUNCTION that are counted.  The others follow from these;
   where one would be less than 0, what is missing is added on a way around through the
   graph, where most arcs were taken already.  Without a graph counts of less than 0
   become 0. TIMES gets how often each block was executed, the entry as often as the
   function was called, unless NULL.  Returns whether nothing was changed.  */
bool arcgraph_agree(const struct arctables *tables,
                    const struct arctables_function *function, int64_t *counts,
                    uint64_t *times);

#endif
