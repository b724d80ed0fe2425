/* SPDX-License-Identifier: MIT */
/* Manages the counters that the program's own code increments, for each thread and in
   total. Reads their values when a file is written. Each registered thread has its
   own copy of each module's counters, so that threads need not wait for each other.
   When a thread ends, its counts are added to the totals. The counters of running
   threads are read in place. Unregistered threads share the module's own storage. */

#ifndef CCPROF_COUNTS_H
#define CCPROF_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <ucontext.h>

#include "rt/samples/modules.h"

/* Registers the counters of the module that contains ADDRESS, if the module has any.
   LOADED is the list of modules and must stay valid. While a file is being written,
   the module may still be missing in this list. Called by constructors, one thread at
   a time. */
void ccprof_counts_attach(const void *address, struct ccprof_modules *loaded);

/* Returns whether any module has counters. */
bool ccprof_counts_any(void);

/* Registers the calling thread, which then counts in DATASET (tags.h). The thread
   must not be inside a function of a shared object with counters. Each thread that
   calls this must also call end, except the first thread. */
void ccprof_counts_thread_begin(uint64_t dataset);

/* Adds the calling thread's counts to the totals, and ends its registration. GOES_ON:
   the thread continues, perhaps in functions that count. Its storage then stays
   mapped, and later counts are lost. */
void ccprof_counts_thread_end(bool goes_on);

/* Returns whether the calling thread is registered. */
bool ccprof_counts_thread_is_registered(void);

/* From now on, the calling thread counts in DATASET. */
void ccprof_counts_switch(uint64_t dataset);

/* Announces the new data set DATASET. Counts that an earlier data set left in its
   slot are moved to the first data set. */
void ccprof_counts_dataset_new(uint64_t dataset);

/* Open: from now on, counts belong to the profile. Close: they do not. At the start
   they belong to the profile. The calls must alternate, starting with close.
   Async-signal-safe. */
void ccprof_counts_open(void);
void ccprof_counts_close(void);

/* Returns whether any counters are private to each thread, as in executables. An
   unregistered thread's counts are then lost at its end, unless the thread adds them
   to the totals. */
bool ccprof_counts_are_private(void);

/* Adds the calling thread's counts to the totals, if the thread was never registered.
   PATIENT: waits for the lock. Returns whether the counts were added.
   Async-signal-safe. */
bool ccprof_counts_add_unregistered(bool patient);

/* Returns the number of threads that have added counts in this way and were not
   registered later. */
uint64_t ccprof_counts_unregistered(void);

/* Returns whether the thread is registered; true if the lock cannot be taken. */
bool ccprof_counts_is_registered(pid_t tid);

/* Forgets all counts, and all threads except the calling one, in the child of a fork. */
void ccprof_counts_drop(void);

/* Calls OTHER, a function like swapcontext, with the two contexts. It continues on
   the machine stack of RESUMED and returns later on the machine stack of PREVIOUS.
   Inclusive counts are counted for the current machine stack. The entries of PREVIOUS's
   stack are suspended until OTHER returns. */
int ccprof_counts_park(int (*other)(ucontext_t *, const ucontext_t *),
                       ucontext_t *previous, const ucontext_t *resumed);

/* Returns whether a thread has switched its machine stack in another way, or a context
   was resumed in another thread. In both cases inclusive counts are not available. */
bool ccprof_counts_are_switched(void);

/* Returns the number of threads that have counted. */
uint64_t ccprof_counts_threads(void);

/* Visits what all threads have executed in indirect calls since the last visit, or with
   OWN the calling thread, by target (called.h). Async-signal-safe. */
typedef void ccprof_counts_visit_called(uint64_t site, uint64_t target, uint64_t count);
void ccprof_counts_called(ccprof_counts_visit_called *visit, bool own);

/* Visits the counters that are not 0 until VISIT returns nonzero. Returns the last
   result of VISIT, or 0. ADDRESS is the counter's address in the module's own
   storage. Async-signal-safe. */
typedef int ccprof_counts_visit(void *context, int module, uint64_t address,
                                uint64_t count);
int ccprof_counts_each(ccprof_counts_visit *visit, void *context);

/* Visit and then empty one data set, or all data sets. dataset_each is called between
   dataset_begin and dataset_end, by one thread at a time. If the lock cannot be
   taken, nothing is visited. WRITTEN: the counts are in a file now, and later files
   will not contain them. */
void ccprof_counts_dataset_begin(uint64_t dataset);
int ccprof_counts_dataset_each(ccprof_counts_visit *visit, void *context);
void ccprof_counts_dataset_end(uint64_t dataset, bool written);

/* Makes all modules of the kind alloc use the same word of a thread for the thread's
   path (plugin/alloc/alloc-path.cc). ADDRESS is in the module to add. Called by
   constructors, one thread at a time. */
void ccprof_path_attach(const void *address);

#endif
