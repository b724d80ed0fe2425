/* SPDX-License-Identifier: MIT */
/* Keeps the books of the setting slice, with which the run is written in slices: each
   file holds what was measured since the file before.  Remembers the totals of earlier
   slices, and keeps the folder of the slices within a bound.  Called by write.c where
   files are written, handlers included; the constructor and the child of a fork call
   start.  */

#ifndef CCPROF_SLICE_H
#define CCPROF_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap.h"
#include "rt/process/mlmon.h"

/* Begins with the first slice, in a process or the child of a fork.  */
void ccprof_slice_start(void);

/* Returns which slice the file is, for the heap; NEXT: the next one begins with it.  */
const struct ccprof_heap_slice *ccprof_slice_heap(bool next);

/* Subtracts the totals of earlier slices from those of MLMON.  */
void ccprof_slice_totals(struct ccprof_mlmon *mlmon);

/* Adds the totals of a slice that is in its file.  */
void ccprof_slice_done(const struct ccprof_mlmon *mlmon);

/* Notes the error of a slice.  Returns whether it differs from that of the slice before,
   so that a message is due.  */
bool ccprof_slice_is_new_error(int error);

/* Returns the time in the name of a file that output=FOLDER/ makes,
   PROGRAM.PID.TIME.mlmon; 0 if NAME is another name.  *UNFINISHED becomes whether
   .PID.tmp follows, as for a file that is being written.  */
uint64_t ccprof_slice_file_time(const char *name, bool *unfinished);

/* Removes the oldest data files of FOLDER until the rest takes at most MOST bytes; at
   most 128 files in one call.  Unfinished files are removed only when no process can be
   writing them any more.  The file WRITTEN, a name without its folder or "", stays. Files
   that are no data files, and other users' files unless this process is root's, are
   neither touched nor counted.  If another process does the same at the moment, or on
   errors, does nothing.  Returns whether a file was removed.  */
bool ccprof_slice_bound_folder(const char *folder, const char *written, uint64_t most);

#endif
