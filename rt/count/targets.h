/* SPDX-License-Identifier: MIT */
/* Counts which functions indirect calls have called, for the plugin's calls of the
   runtime.

   Counts by target (targets.c): each thread counts in its own table, so that no thread
   waits for another.  A shared table takes the counts of unregistered threads, and of
   signal handlers that have interrupted a count.

   First targets (targets-first.c): of some sites the runtime keeps, for the whole
   process, the target that was called first.  The code compares with that target by
   itself and calls the runtime only for other targets: mlprof knows how often the site
   was executed, and subtracts.  A child process inherits first targets, as it inherits
   the words that the code compares with.  */

#ifndef CCPROF_TARGETS_H
#define CCPROF_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

/* Counts a call of TARGET by the call site SITE.  Any thread, handlers included.  */
void ccprof_targets_add(const void *site, const void *target);

/* Keeps what the calling thread has counted, since the thread ends.  */
void ccprof_targets_thread_end(void);

/* Forgets all counts, in the child of a fork, where there is one thread.  */
void ccprof_targets_drop(void);

/* Visits the counts until VISIT returns nonzero; returns what VISIT returned last, or 0.
   The same site and target may come several times; both are 0 for calls that could not be
   kept.  Counts that earlier slices have are not visited.  SLICE: the caller must call
   ccprof_targets_slice_done once the slice is complete; then the slice has these counts.
   Async-signal-safe; one thread at a time.  */
typedef int ccprof_targets_visit(void *context, uint64_t site, uint64_t target,
                                 uint64_t count);
int ccprof_targets_each(ccprof_targets_visit *visit, void *context, bool slice);
void ccprof_targets_slice_done(void);

/* Returns whether anything was counted.  */
bool ccprof_targets_any(void);

/* Sets WORD, which the code at the site compares with, to the site's first target: TARGET
   if there was none.  The address of WORD stands for the site.  Returns whether the call
   of TARGET is the first one's, and so not to be counted.  Any thread, handlers
   included.  */
bool ccprof_targets_is_first(uint64_t *word, const void *target);

/* In the child of a fork, where there is one thread.  */
void ccprof_targets_forked(void);

/* Visits the first target of each site until VISIT returns nonzero; returns what VISIT
   returned last, or 0.  Async-signal-safe; any thread.  */
typedef int ccprof_targets_visit_first(void *context, uint64_t site, uint64_t target);
int ccprof_targets_each_first(ccprof_targets_visit_first *visit, void *context);

/* Returns whether any site has a first target.  */
bool ccprof_targets_any_first(void);

#endif
