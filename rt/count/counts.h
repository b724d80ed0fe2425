/* SPDX-License-Identifier: MIT */
/* Keeps the counters that the program's own code adds to, for each thread and in total,
   and says what they have counted when a file is written.  Each thread that begins is
   given storage of its own, a copy of each module's counters, so that no thread waits for
   another.  A thread that ends adds its counts to the totals; the counts of threads that
   still run are read where they stand.  A thread that is not registered counts in the
   module's own storage, together with all others of that kind.  */

#ifndef CCPROF_COUNTS_H
#define CCPROF_COUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rt/table/modules.h"

/* Registers the counters of the module that holds ADDRESS, if it has any; LOADED, which
   stays, knows the module, or will know it, where a file is being written now.
   Constructor, one thread at a time.  */
void ccprof_counts_attach(const void *address, struct ccprof_modules *loaded);

/* Whether any module has counters.  */
bool ccprof_counts_any(void);

/* Registers the calling thread, which counts in DATASET (datasets.h) from now on.  No
   function of a shared object with counters may be active in it.  Each thread that begins
   must end, but for the first one.  */
void ccprof_counts_thread_begin(uint64_t dataset);

/* Adds the calling thread's counts to the totals; it is not registered any more.  */
void ccprof_counts_thread_end(void);

/* Whether the calling thread has begun and not ended.  */
bool ccprof_counts_thread_is_known(void);

/* From now on the calling thread counts in DATASET.  */
void ccprof_counts_switch(uint64_t dataset);

/* The data set is new.  Counts of a former one in its slot belong to the first one.  */
void ccprof_counts_dataset_new(uint64_t dataset);

/* From now on counts go into the profile, or do not.  Called in turns, close first: at
   the start they do.  Async-signal-safe.  */
void ccprof_counts_open(void);
void ccprof_counts_close(void);

/* Whether there are counters that each thread has for itself alone, as in executables:
   the counts of a thread that does not begin are lost with it, unless it adds them.  */
bool ccprof_counts_are_private(void);

/* Adds the calling thread's counts to the totals, if it has never begun.  PATIENT: waits
   for the lock.  Returns whether it has done so.  Async-signal-safe.  */
bool ccprof_counts_add_unregistered(bool patient);

/* How many threads have done so, less those that have begun since.  */
uint64_t ccprof_counts_unregistered(void);

/* Whether the thread has begun and not ended; true if the lock is not to be had.  */
bool ccprof_counts_knows(pid_t tid);

/* In the child of a fork: forgets all counts, and all threads but the calling one.  */
void ccprof_counts_drop(void);

/* How many threads have counted.  */
uint64_t ccprof_counts_threads(void);

/* Visits the counters that are not 0 until VISIT returns nonzero; returns that, or 0 at
   the end.  ADDRESS is that of the counter in the module's own storage, in memory as long
   as the module is.  Async-signal-safe.  */
typedef int ccprof_counts_visit(void *context, int module, uint64_t address,
                                uint64_t count);
int ccprof_counts_each(ccprof_counts_visit *visit, void *context);

/* The same for one data set, or for all, which have nothing then, between begin and end,
   by one thread at a time.  If the lock is not to be had, nothing is visited.  WRITTEN:
   the counts are in a file, and in no other one from now on.  */
void ccprof_counts_dataset_begin(uint64_t dataset);
int ccprof_counts_dataset_each(ccprof_counts_visit *visit, void *context);
void ccprof_counts_dataset_end(uint64_t dataset, bool written);

#endif
