/* SPDX-License-Identifier: MIT */
/* Counts the targets of indirect calls. The code that the plugin inserts calls these
   functions.

   Counts by target (targets.c): each thread counts in its own table, so that threads
   need not wait for each other. A shared table holds the counts of unregistered
   threads, and of signal handlers that have interrupted a count.

   First targets (targets-first.c): for some call sites the runtime stores the target
   that was called first, for the whole process. The inserted code compares with that
   target itself and calls the runtime only for other targets. mlprof computes the
   calls of the first target: the number of executions of the site minus the calls of
   other targets. A child process inherits first targets, like the words with which
   the code compares. */

#ifndef CCPROF_TARGETS_H
#define CCPROF_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

/* Counts a call of TARGET at the call site SITE. Any thread may call this, also in
   signal handlers. */
void ccprof_targets_add(const void *site, const void *target);

/* Adds what threads have executed in indirect calls (called.h). Called before counts are
   visited. Async-signal-safe. */
void ccprof_targets_gather(void);

/* Keeps the calling thread's counts, since the thread ends. */
void ccprof_targets_thread_end(void);

/* Forgets all counts, in the child of a fork, which has only one thread. */
void ccprof_targets_drop(void);

/* Visits the counts until VISIT returns nonzero. Returns the last result of VISIT, or
   0. The same site and target may be visited several times. Site and target are both
   0 for calls that could not be stored. Counts in earlier slices are not visited.
   SLICE: the caller must call ccprof_targets_slice_done when the slice is complete;
   from then on these counts belong to the slice. Async-signal-safe. Only one thread
   may call this at a time. */
typedef int ccprof_targets_visit(void *context, uint64_t site, uint64_t target,
                                 uint64_t count);
int ccprof_targets_each(ccprof_targets_visit *visit, void *context, bool slice);
void ccprof_targets_slice_done(void);

/* Returns whether any call was counted. */
bool ccprof_targets_any(void);

/* WORD is the variable that the code at the call site compares with its targets. Sets
   it to the site's first target. If the site has no first target yet, TARGET becomes
   its first target. The address of WORD identifies the site. Returns whether TARGET
   is the first target, so that the call need not be counted. Any thread may call
   this, also in signal handlers. */
bool ccprof_targets_is_first(uint64_t *word, const void *target);

/* Releases the lock of first targets, in the child of a fork, which has only one
   thread. */
void ccprof_targets_forked(void);

/* Visits the first target of each site until VISIT returns nonzero. Returns the last
   result of VISIT, or 0. Async-signal-safe. Any thread may call this. */
typedef int ccprof_targets_visit_first(void *context, uint64_t site, uint64_t target);
int ccprof_targets_each_first(ccprof_targets_visit_first *visit, void *context);

/* Returns whether any site has a first target. */
bool ccprof_targets_any_first(void);

#endif
