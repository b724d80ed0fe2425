/* SPDX-License-Identifier: MIT */
/* Keeps the marks of each thread, for counts-accounting.c: the values that its counters
   had when it entered its data set, or when they were last read.  The marks of a thread
   that has ended go to another thread, so that threads that end unseen cost nothing.  The
   caller holds the lock of counts-lists.h.  */

#ifndef CCPROF_COUNTS_MARKS_H
#define CCPROF_COUNTS_MARKS_H

#include "rt/count/counts-lists.h"

/* Returns the thread's marks for the module, which are 0 at first; null if there is no
   memory.  */
uint64_t *ccprof_counts_marks_make(struct ccprof_counts_thread *thread, unsigned module);

/* Returns the thread's marks for the module; null if there are none.  */
const uint64_t *ccprof_counts_marks_of(const struct ccprof_counts_thread *thread,
                                       unsigned module);

/* Frees the marks of the thread.  */
void ccprof_counts_marks_end(struct ccprof_counts_thread *thread);

/* Clears the marks of all threads for the module, which is loaded again.  */
void ccprof_counts_marks_clear(unsigned module);

/* Gives the marks the thread's new number, in the child of a fork, where the thread is
   the only one.  */
void ccprof_counts_marks_drop(struct ccprof_counts_thread *thread);

#endif
