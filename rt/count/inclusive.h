/* SPDX-License-Identifier: MIT */
/* Inclusive counts: what was counted while a source was on the stack (format.h).  To
   counts.c the pairs of a module are one more form of counters: each thread that begins
   is given a copy of them, and what is open in it is read as if it were closed.  Another
   thread may be at work on what is read.  Under the lock of counts-inside.h.  */

#ifndef CCPROF_INCLUSIVE_H
#define CCPROF_INCLUSIVE_H

#include "rt/count/counts-inside.h"

/* The thread is given a copy of the module's pairs, and a stack if it has none; without
   memory it goes on being unknown to the module.  */
void ccprof_inclusive_give(const struct ccprof_counts_module *module,
                           struct ccprof_counts_thread *thread);

/* What the pair I has counted in the thread.  */
uint64_t ccprof_inclusive_own(const struct ccprof_counts_module *module,
                              const struct ccprof_counts_thread *thread, size_t i);

/* Adds what the thread has counted to the module's totals, and takes its copy away.  */
void ccprof_inclusive_take(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread);

/* Behind all modules: takes the stack away.  */
void ccprof_inclusive_end(struct ccprof_counts_thread *thread);

/* Nothing was counted yet; what is open begins anew.  The calling thread.  */
void ccprof_inclusive_zero(const struct ccprof_counts_module *module,
                           struct ccprof_counts_thread *thread);

/* Called, unless it is null, where a thread gets its stack, with room for ENTRIES.  */
extern void (*ccprof_inclusive_begun)(struct ccprof_counts_thread *thread,
                                      size_t entries);

#endif
