/* SPDX-License-Identifier: MIT */
/* Counters of calls.  Each thread that begins is given cells of its own, a copy of each
   module's, so that no thread waits for another; a thread that ends adds them to the
   totals, and those of the threads that still run are read where they stand when the
   profile is written.  Stretches of the run are differences of what the counters say.  A
   thread that is not known counts in the module's own cells,
   together with others of the kind.  */

#ifndef CCPROF_COUNTS_H
#define CCPROF_COUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rt/table/modules.h"

/* Takes note of the counters of the module that holds ADDRESS, if it has any; LOADED
   knows the module.  Constructor, one thread at a time.  */
void ccprof_counts_attach(const void *address, const struct ccprof_modules *loaded);

/* Whether any module has counters.  */
bool ccprof_counts_any(void);

/* The calling thread begins, in the data set (datasets.h), with no function of a shared
   object entered that counts; ends: what it has counted is added to the totals.  Who
   begins must end, but for the first thread.  */
void ccprof_counts_thread_begin(uint64_t dataset);
void ccprof_counts_thread_end(void);

/* Whether it has begun and not ended.  */
bool ccprof_counts_thread_is_known(void);

/* The calling thread counts in another data set (datasets.h).  */
void ccprof_counts_switch(uint64_t dataset);

/* Nothing was counted in the data set yet: what was there at its place is the first
 * one's. */
void ccprof_counts_dataset_new(uint64_t dataset);

/* What is counted counts; or does not, as if it were not there.  As often the one as the
   other, in turns; at first it does.  Async-signal-safe.  */
void ccprof_counts_open(void);
void ccprof_counts_close(void);

/* Whether there are counters that each thread has for itself alone, as in executables:
   then those of a thread that does not begin are lost.  */
bool ccprof_counts_are_private(void);

/* The calling thread, if it has never begun, adds what it has counted to the totals;
   PATIENT waits for others.  Returns whether it has done so.  Async-signal-safe.  */
bool ccprof_counts_add_unregistered(bool patient);

/* Threads that have done so, less those that have begun since.  */
uint64_t ccprof_counts_unregistered(void);

/* Whether the thread has begun and not ended, or that cannot be known.  */
bool ccprof_counts_knows(pid_t tid);

/* In the child of a fork: nothing was counted yet, and there is one thread.  */
void ccprof_counts_drop(void);

/* Threads that were given cells.  */
uint64_t ccprof_counts_threads(void);

/* Visits the counters that are not 0 until it is told to stop; returns what VISIT
   returned, 0 at the end.  ADDRESS is that of the module's cell, in memory as long as the
   module is.  Async-signal-safe.  */
typedef int ccprof_counts_visit(void *context, int module, uint64_t address,
                                uint64_t count);
int ccprof_counts_each(ccprof_counts_visit *visit, void *context);

/* The same of one data set, between begin and end, by one thread at a time: end with
   WRITTEN takes it away from all else.  If it cannot be had there is nothing.  */
void ccprof_counts_dataset_begin(uint64_t dataset);
int ccprof_counts_dataset_each(ccprof_counts_visit *visit, void *context);
void ccprof_counts_dataset_end(uint64_t dataset, bool written);

#endif
