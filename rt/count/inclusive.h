/* SPDX-License-Identifier: MIT */
/* Inclusive counts: what was counted while a source was on the stack (format.h).  The
   pairs of a module are one more form of counters: each thread that begins is given a
   copy of them, and what is open in it is read as if it were closed.  Another thread may
   be at work on what is read.  Under the lock of counts-lists.h.  */

#ifndef CCPROF_INCLUSIVE_H
#define CCPROF_INCLUSIVE_H

#include "rt/count/counts-lists.h"

/* The cells are struct ccprof_pair.  A thread for whose copy there is no memory goes on
   being unknown to the module.  */
extern const struct ccprof_counts_form ccprof_inclusive_form;

/* Behind all modules: takes the stack away.  */
void ccprof_inclusive_end(struct ccprof_counts_thread *thread);

/* Called, unless it is null, where a thread gets its stack, with room for ENTRIES.  */
extern void (*ccprof_inclusive_begun)(struct ccprof_counts_thread *thread,
                                      size_t entries);

#endif
