/* SPDX-License-Identifier: MIT */
/* Decides which data of the run is written to which file, and when. While a file is
   written in the middle of the run, samples cannot be stored and count as lost. */

#ifndef CCPROF_WRITE_H
#define CCPROF_WRITE_H

#include <stdbool.h>
#include <stdint.h>

/* Writes all data that is in no other file into the run's own file, and prints
   messages about errors. A forked child without samples gives its CPU time to its
   parent instead (children.h). Sampling must have ended. ORDERLY has the same meaning
   as for ccprof_end_run. */
void ccprof_write_end(bool orderly);

/* Does the same as ccprof_write_end if the run may continue. The caller holds the
   run. The next file of the run replaces this one, even if the run is written in
   slices. Async-signal-safe. */
void ccprof_write_for_now(void);

/* Writes the data so far into the run's own file, while the run continues. May be
   called in signal handlers, unless the thread is inside the runtime. */
void ccprof_write_so_far(void);

/* Does the same as ccprof_write_so_far, for handlers. If the handler interrupted its
   thread while the thread was counting a block of memory, the file is written
   immediately after the block is counted. */
void ccprof_write_soon(void);

/* Writes the data so far into the open FILE, as an answer to a request (request.h).
   Returns 0 or an errno value: EAGAIN if another thread holds the run or modules are
   being added, ECANCELED if the run has ended. Called by the handler of requests. */
struct ccprof_file;
int ccprof_write_answer(const struct ccprof_file *file);

/* Any thread may call the next two functions, but not handlers. Both return 0, or an
   errno value if the file is unchanged. */

/* Writes a copy of the data so far to the file PATH. */
int ccprof_write_copy(const char *path);

/* Writes the samples of a data set to the file PATH, and removes them from the run. */
int ccprof_write_dataset(uint64_t dataset, const char *path);

/* Starts checkpoints: files that are written at intervals, since a process that is
   killed cannot write its profile. The first checkpoint is due after a second, the
   next ones after two seconds, four seconds and so on, with at most SECONDS in
   between. IS_SLICE: all intervals are SECONDS. SECONDS 0 means no checkpoints. Called
   by the constructor. */
void ccprof_checkpoint_start(unsigned seconds, bool is_slice);

/* Restarts checkpoints in the child of a fork. */
void ccprof_checkpoint_child(void);

/* Installs a handler for the signal of the setting `write'. The handler writes the
   profile, and the program continues. Prints a message if the program already uses this
   signal. Called once, by the constructor. */
void ccprof_write_install_signal(int number);

#endif
