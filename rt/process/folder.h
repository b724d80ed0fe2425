/* SPDX-License-Identifier: MIT */
/* Keeps a folder of data files within a bound, for write.c, by removing the oldest
   files.  */

#ifndef CCPROF_FOLDER_H
#define CCPROF_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the time in the name of a file that output=FOLDER/ makes,
   PROGRAM.PID.TIME.mlmon; 0 if NAME is another name.  *UNFINISHED tells whether .PID.tmp
   follows, as for a file that is being written.  */
uint64_t ccprof_folder_time(const char *name, bool *unfinished);

/* Removes the oldest data files of FOLDER until the rest takes at most MOST bytes; at
   most 128 files in one call.  Unfinished files are removed only when no process can be
   writing them any more.  The file WRITTEN, a name without its folder or "", stays.
   Files that are no data files, and other users' files unless this process is root's, are
   neither touched nor counted.  If another process does the same at the moment, or on
   errors, nothing is done.  Returns whether a file was removed.  Async-signal-safe.  */
bool ccprof_folder_bound(const char *folder, const char *written, uint64_t most);

#endif
