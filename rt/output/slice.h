/* SPDX-License-Identifier: MIT */
/* Keeps the totals for the setting slice. With this setting, the run is written in
   slices: each file contains the data since the previous file. Also limits the size
   of the folder of slices. write.c calls these functions when files are written, also
   in signal handlers. The constructor and the child of a fork call start. */

#ifndef CCPROF_SLICE_H
#define CCPROF_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap.h"
#include "rt/output/mlmon.h"

/* Starts with the first slice, in a process or the child of a fork. */
void ccprof_slice_start(void);

/* Returns the identity of the current slice, for the heap. NEXT: the next slice
   begins after this file. */
const struct ccprof_heap_slice *ccprof_slice_heap(bool next);

/* Returns the time when measuring began in this process or child of a fork, in
   nanoseconds since 1970. */
uint64_t ccprof_slice_epoch(void);

/* Subtracts the totals of earlier slices from the totals in MLMON. */
void ccprof_slice_totals(struct ccprof_mlmon *mlmon);

/* Adds the totals of a slice after its file was written. */
void ccprof_slice_done(const struct ccprof_mlmon *mlmon);

/* Records the error of a slice. Returns whether it differs from the previous slice's
   error and so needs a message. */
bool ccprof_slice_is_new_error(int error);

/* Returns the time in the name PROGRAM.PID.TIME.mlmon, which files of output=FOLDER/
   have; 0 if NAME is a different name. Sets *UNFINISHED to whether NAME also ends
   with .PID.tmp, as the names of files that are being written do. */
uint64_t ccprof_slice_file_time(const char *name, bool *unfinished);

/* Removes the oldest data files of FOLDER until the remaining ones have at most MOST
   bytes; at most 128 files in one call. An unfinished file is removed only when no
   process can still be writing it. The file KEPT_NAME, a name without its folder or "",
   is kept. Files that are not data files are ignored, and so are other users' files
   unless this process is root's. Does nothing on errors, or if another process is
   doing the same. Returns whether a file was removed. */
bool ccprof_slice_limit_folder(const char *folder, const char *kept_name, uint64_t most);

#endif
