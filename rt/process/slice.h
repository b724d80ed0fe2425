/* SPDX-License-Identifier: MIT */
/* With the setting slice the run is written in slices: files of which each holds what was
   measured since the one before.  Remembers what was told of the figures that are known
   as sums alone, for write.c; async-signal-safe, who writes the run's files.  */

#ifndef CCPROF_SLICE_H
#define CCPROF_SLICE_H

#include <stdbool.h>

#include "rt/process/mlmon.h"

/* Takes what was told from the totals.  */
void ccprof_slice_totals(struct ccprof_mlmon *mlmon);

/* The slice is in its file.  */
void ccprof_slice_done(const struct ccprof_mlmon *mlmon);

/* Whether the last slice could not be written for another reason than this errno value,
   or could.  */
bool ccprof_slice_is_news(int error);

/* In the child of a fork: there were none.  */
void ccprof_slice_child(void);

#endif
