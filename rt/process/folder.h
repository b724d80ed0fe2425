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

/* Removes the oldest data files from FOLDER until those that are left have MOST bytes at
   most, or there is but one; of those that were not finished only what no process can
   still be writing.  Nothing else is touched or counted.  Where somebody else does so
   just then, or there is an error, nothing is done.  Async-signal-safe.  */
void ccprof_folder_bound(const char *folder, uint64_t most);

#endif
