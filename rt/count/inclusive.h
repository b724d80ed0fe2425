/* SPDX-License-Identifier: MIT */
/* Keeps inclusive counts: what was counted while a source was on the stack (format.h).
   The pairs of a module are one more form of counters: each thread that begins is given a
   copy of them, and a source that is still open in it is read as if it were closed.
   Another thread may be changing what is read.  Called under the lock of
   counts-lists.h.  */

#ifndef CCPROF_INCLUSIVE_H
#define CCPROF_INCLUSIVE_H

#include "rt/count/counts-lists.h"

/* The storage holds struct ccprof_pair.  A thread for whose copy there is no memory
   counts no inclusive counts in the module.  */
extern const struct ccprof_counts_form ccprof_inclusive_form;

/* Frees the thread's stack, after all modules have taken its counts.  */
void ccprof_inclusive_end(struct ccprof_counts_thread *thread);

/* Unless null, called where a thread gets its stack, which has room for ENTRIES.  */
extern void (*ccprof_inclusive_begun)(struct ccprof_counts_thread *thread,
                                      size_t entries);

#endif
