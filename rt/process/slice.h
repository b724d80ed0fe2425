/* SPDX-License-Identifier: MIT */
/* Remembers, for write.c, what slices have told of figures that are known only as sums.
   (With the setting slice the run is written in slices: each file holds what was measured
   since the file before.) Async-signal-safe; called by the writer of the run's files.  */

#ifndef CCPROF_SLICE_H
#define CCPROF_SLICE_H

#include <stdbool.h>

#include "rt/heap/heap.h"
#include "rt/process/mlmon.h"

/* Begins with the first slice, in a process or the child of a fork.  */
void ccprof_slice_start(void);

/* Returns which slice the file is, for the heap; NEXT: the next one begins with it.  */
const struct ccprof_heap_slice *ccprof_slice_heap(bool next);

/* Subtracts what slices have told from the totals.  */
void ccprof_slice_totals(struct ccprof_mlmon *mlmon);

/* Notes that a slice is in its file.  */
void ccprof_slice_done(const struct ccprof_mlmon *mlmon);

/* Notes the error of a slice.  Returns whether the last slice had another error, or
   none.  */
bool ccprof_slice_is_news(int error);

#endif
