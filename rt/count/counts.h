/* SPDX-License-Identifier: MIT */
/* Keeps the counters that the program's own code adds to, for each thread and in total,
   and reads their values when a file is written.  Each registered thread has its own copy
   of each module's counters, so that no thread waits for another.  A thread that ends
   adds its counts to the totals; the counters of running threads are read where they are.
   Threads that are not registered share the module's own storage.  */

#ifndef CCPROF_COUNTS_H
#define CCPROF_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <ucontext.h>

#include "rt/samples/modules.h"

/* Registers the counters of the module that holds ADDRESS, if the module has any.
   LOADED, which must stay, knows the module, or will know it after the file that is now
   being written.  Constructor, one thread at a time.  */
void ccprof_counts_attach(const void *address, struct ccprof_modules *loaded);

/* Returns whether any module has counters.  */
bool ccprof_counts_any(void);

/* Registers the calling thread, which counts in DATASET (scope.h) from now on.  The
   thread must not be inside a function of a shared object with counters.  Each thread
   that begins must end, except for the first one.  */
void ccprof_counts_thread_begin(uint64_t dataset);

/* Adds the calling thread's counts to the totals, and ends its registration.  GOES_ON:
   the thread goes on, perhaps in the middle of functions that count, so that what they
   have counted in stays; what they count later is lost.  */
void ccprof_counts_thread_end(bool goes_on);

/* Returns whether the calling thread is registered.  */
bool ccprof_counts_thread_is_known(void);

/* Lets the calling thread count in DATASET from now on.  */
void ccprof_counts_switch(uint64_t dataset);

/* Tells that DATASET is new.  Counts that an earlier data set has left in its slot go to
   the first data set.  */
void ccprof_counts_dataset_new(uint64_t dataset);

/* Lets counts go into the profile from now on (open), or not (close).  They do at the
   start; the calls must alternate, close first.  Async-signal-safe.  */
void ccprof_counts_open(void);
void ccprof_counts_close(void);

/* Returns whether any counters are private to each thread, as in executables: the counts
   of an unregistered thread are then lost at its end, unless the thread adds them.  */
bool ccprof_counts_are_private(void);

/* Adds the calling thread's counts to the totals, if the thread was never registered.
   PATIENT: waits for the lock.  Returns whether the counts were added.
   Async-signal-safe.  */
bool ccprof_counts_add_unregistered(bool patient);

/* Returns how many threads have added counts in this way and were not registered
   later.  */
uint64_t ccprof_counts_unregistered(void);

/* Returns whether the thread is registered; true if the lock cannot be taken.  */
bool ccprof_counts_knows(pid_t tid);

/* Forgets all counts, and all threads but the calling one, in the child of a fork.  */
void ccprof_counts_drop(void);

/* Calls OTHER with the two contexts, like swapcontext, which goes on on the machine stack
   of IN and comes back later.  Inclusive counts are those of the machine stack in use:
   what is on OUT's counts no more until then.  */
int ccprof_counts_park(int (*other)(ucontext_t *, const ucontext_t *), ucontext_t *out,
                       const ucontext_t *in);

/* Returns whether a thread has changed its machine stack otherwise, or a context goes on
   in another thread: there are no inclusive counts then.  */
bool ccprof_counts_are_switched(void);

/* Returns how many threads have counted.  */
uint64_t ccprof_counts_threads(void);

/* Visits the counters that are not 0 until VISIT returns nonzero; returns what VISIT
   returned last, or 0.  ADDRESS is the counter's place in the module's own storage, which
   is in memory as long as the module is.  Async-signal-safe.  */
typedef int ccprof_counts_visit(void *context, int module, uint64_t address,
                                uint64_t count);
int ccprof_counts_each(ccprof_counts_visit *visit, void *context);

/* The same for one data set, or for all data sets, which begin then empties.  Each is
   called between begin and end, by one thread at a time.  If the lock cannot be taken,
   nothing is visited.  WRITTEN: the counts are in a file now, and no later file will have
   them.  */
void ccprof_counts_dataset_begin(uint64_t dataset);
int ccprof_counts_dataset_each(ccprof_counts_visit *visit, void *context);
void ccprof_counts_dataset_end(uint64_t dataset, bool written);

/* Makes the module that holds ADDRESS, which is of kind alloc, use the same word of a
   thread as its path (plugin/alloc/alloc-path.cc) as all other modules.  Constructor, one
   thread at a time.  */
void ccprof_path_attach(const void *address);

#endif
