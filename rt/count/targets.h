/* SPDX-License-Identifier: MIT */
/* Counts which functions indirect calls have called.  Each thread counts in a table of
   its own, so that no thread waits for another.  A shared table takes the counts of
   unregistered threads, and of a handler that has interrupted its thread in the middle of
   a count.  */

#ifndef CCPROF_TARGETS_H
#define CCPROF_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

/* The call that SITE stands for calls TARGET.  Any thread, handlers included.  */
void ccprof_targets_add(const void *site, const void *target);

/* The calling thread ends: what it has counted is kept.  */
void ccprof_targets_thread_end(void);

/* In the child of a fork: nothing was counted yet, and there is one thread.  */
void ccprof_targets_drop(void);

/* Visits what was counted until it is told to stop; the same site and target may come
   several times, and both are 0 for what could not be kept.  Returns what VISIT returned,
   0 at the end.  What was told is not visited again: SLICE, and told behind it, make what
   is visited that.  Async-signal-safe; one thread at a time.  */
typedef int ccprof_targets_visit(void *context, uint64_t site, uint64_t target,
                                 uint64_t count);
int ccprof_targets_each(ccprof_targets_visit *visit, void *context, bool slice);
void ccprof_targets_told(void);

/* Whether anything was counted.  */
bool ccprof_targets_any(void);

#endif
