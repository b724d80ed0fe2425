/* SPDX-License-Identifier: MIT */
/* Passes an exiting thread's unfinished sampling interval (interval.h), and its samples
   that are due but not yet taken, on to the next new thread.  So many brief threads
   together get as many samples as their CPU time asks for, and not each of them by
   chance.

   begin and end: for engines, where they arm and disarm, under the lock of the threads'
   slots (threads.h).  Async-signal-safe.  */

#ifndef CCPROF_CARRYOVER_H
#define CCPROF_CARRYOVER_H

#include "rt/sample/engine.h"

/* The thread exits at NOW on its CPU clock.  If there is no room for its interval, its
   samples that are due are owed.  */
void ccprof_carryover_end(struct ccprof_thread *thread, uint64_t now);

/* The thread begins at NOW on its CPU clock and is to be sampled each PERIOD nanoseconds:
   its interval, and its samples for time in the kernel, are those of one that has exited,
   if any are left, or new ones.  */
void ccprof_carryover_begin(struct ccprof_thread *thread, uint64_t period, uint64_t now);

/* So many samples are due in a thread that has no interval.  Any thread's handler, as is
   the next.  */
void ccprof_carryover_owe(uint64_t samples);

/* Samples that are owed, MOST at most: they count where they are claimed.  */
uint64_t ccprof_carryover_claim(uint64_t most);

/* In the child of a fork: forgets all.  */
void ccprof_carryover_drop(void);

#endif
