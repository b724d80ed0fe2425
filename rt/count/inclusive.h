/* SPDX-License-Identifier: MIT */
/* Keeps inclusive counts: what was counted while a source was on the stack (format.h).
   Pairs are one more form of counters, for counts-modules.c and counts.c.  Each
   registered thread has a copy of the module's pairs.  A source that is still open in a
   thread is read as if it were closed, even while the thread changes the pair.  The
   caller holds the lock of counts-lists.h.  */

#ifndef CCPROF_INCLUSIVE_H
#define CCPROF_INCLUSIVE_H

#include "rt/count/counts-lists.h"

/* The storage of this form holds struct ccprof_pair.  A thread without memory for a copy
   counts no inclusive counts in the module.  */
extern const struct ccprof_counts_form ccprof_inclusive_form;

/* Returns the distance from a pair of the module to the thread's copy; 0 if it has none.
 */
uintptr_t ccprof_inclusive_delta(const struct ccprof_counts_module *module,
                                 const struct ccprof_counts_thread *thread);

/* Frees the thread's stack, after all modules have taken its counts.  */
void ccprof_inclusive_end(struct ccprof_counts_thread *thread);

/* If not null, called where a thread gets its stack, which has room for ENTRIES.  */
extern void (*ccprof_inclusive_begun)(struct ccprof_counts_thread *thread,
                                      size_t entries);

#endif
