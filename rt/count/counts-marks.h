/* SPDX-License-Identifier: MIT */
/* Keeps of each thread what its counters were when it entered its data set, or was last
   asked, for counts-accounting.c.  What a thread that has ended had another one gets, so
   that threads that end without a word cost nothing.  Called under the lock of
   counts-lists.h.  */

#ifndef CCPROF_COUNTS_MARKS_H
#define CCPROF_COUNTS_MARKS_H

#include "rt/count/counts-lists.h"

/* The thread's marks of the module, all 0 at first; null if there is no memory.  */
uint64_t *ccprof_counts_marks_make(struct ccprof_counts_thread *thread, unsigned module);

/* Null if there are none.  */
const uint64_t *ccprof_counts_marks_of(const struct ccprof_counts_thread *thread,
                                       unsigned module);

/* The thread needs its marks no more.  */
void ccprof_counts_marks_end(struct ccprof_counts_thread *thread);

/* Clears those of the module, of all threads: it is loaded again.  */
void ccprof_counts_marks_clear(unsigned module);

/* In the child of a fork, where the thread is the only one and has another number.  */
void ccprof_counts_marks_drop(struct ccprof_counts_thread *thread);

#endif
