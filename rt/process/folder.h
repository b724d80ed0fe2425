/* SPDX-License-Identifier: MIT */
/* Keeps a folder of data files within a bound, for write.c: removes the oldest ones.  */

#ifndef CCPROF_FOLDER_H
#define CCPROF_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

/* The time in the name of a file that output=FOLDER/ makes, PROGRAM.PID.TIME.mlmon, or of
   one that was not finished, with .PID.tmp behind it, which *UNFINISHED tells; 0: it is
   another's.  */
uint64_t ccprof_folder_time(const char *name, bool *unfinished);

/* Removes the oldest data files from FOLDER until those that are left take MOST bytes at
   most, a hundred in one call; of those that were not finished only what no process can
   still be writing.  What is called WRITTEN, a name without its folder or "", stays.
   Files of other users, unless this is root's process, and all that are no data files are
   neither touched nor counted.  Where somebody else does so just then, or there is an
   error, nothing is done.  Returns whether a file was removed. Async-signal-safe.  */
bool ccprof_folder_bound(const char *folder, const char *written, uint64_t most);

#endif
