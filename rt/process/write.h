/* SPDX-License-Identifier: MIT */
/* Chooses what of the run is written to which file, and when.  While a file is written in
   the middle of the run, samples cannot be kept and count as lost.  */

#ifndef CCPROF_WRITE_H
#define CCPROF_WRITE_H

#include <stdbool.h>
#include <stdint.h>

/* Writes all that is in no other file into the run's own file; reports errors.  Sampling
   has ended.  ORDERLY as for ccprof_end_run.  */
void ccprof_write_end(bool orderly);

/* Does the same if the run may go on.  The caller holds the run.  The next file of the
   run replaces this one, even if the run is written in slices.  Async-signal-safe.  */
void ccprof_write_for_now(void);

/* Does the same while the run goes on.  Modules that were loaded after the last profiled
   one are not known.  May be called in signal handlers, unless the thread is inside the
   runtime.  */
void ccprof_write_so_far(void);

/* Does the same for a handler.  If the handler has interrupted its thread while it counts
   a block of memory, the file is written as soon as that is done.  */
void ccprof_write_soon(void);

/* The next two may be called in any thread, but not in handlers.  They return 0, or an
   errno value with the file as before.  */

/* Writes the same into another file, as a copy.  */
int ccprof_write_copy(const char *path);

/* Moves the samples of a data set into a file.  */
int ccprof_write_dataset(uint64_t dataset, const char *path);

/* Starts checkpoints: files that are written from time to time, since no handler sees
   that a process is killed.  The first one is due after a second, the next ones after
   two, four seconds and so on, up to SECONDS.  EVEN: each is due SECONDS after the last.
   SECONDS 0: there are none.  Constructor.  */
void ccprof_checkpoint_start(unsigned seconds, bool even);

/* Starts checkpoints again, in the child of a fork.  */
void ccprof_checkpoint_child(void);

/* Lets the signal of the setting write have the profile written; the program goes on.  If
   the program uses the signal already, says so.  Constructor, once.  */
void ccprof_write_install_signal(int number);

#endif
