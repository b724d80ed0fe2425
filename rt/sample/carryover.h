/* SPDX-License-Identifier: MIT */
/* Passes the unfinished sampling interval (interval.h) of an exiting thread, with its
   samples that are due but not yet taken, to the next new thread.  So many brief threads
   together get as many samples as their CPU time asks for, without relying on chance in
   each of them.

   Engines call begin and end, where they arm and disarm threads, under the lock of the
   threads' slots (threads.h).  All functions are async-signal-safe.  */

#ifndef CCPROF_CARRYOVER_H
#define CCPROF_CARRYOVER_H

#include "rt/sample/engine.h"

/* Keeps the interval of THREAD, which exits at the time NOW of its CPU clock.  If there
   is no room for the interval, its due samples are owed.  If a sample has been due for
   longer than ticks can be apart, and THREAD has lived for less than a tick, no thread
   takes the sample: the program runs in step with the tick.  Then all due samples are
   left to ccprof_carryover_missed.  */
void ccprof_carryover_end(struct ccprof_thread *thread, uint64_t now);

/* Gives an interval to THREAD, which begins at the time NOW of its CPU clock and is
   sampled each PERIOD nanoseconds: the interval of an exited thread, with its samples for
   time in the kernel, or a new interval if no such thread is left.  */
void ccprof_carryover_begin(struct ccprof_thread *thread, uint64_t period, uint64_t now);

/* Adds SAMPLES to what is owed, since they are due in a thread that has no interval.
   Called by the handler of any thread, as is claim.  */
void ccprof_carryover_owe(uint64_t samples);

/* Takes some of the samples that are owed, MOST at most, and returns how many.  They
   count where they are claimed.  */
uint64_t ccprof_carryover_claim(uint64_t most);

/* Returns the samples that no signal has taken, and forgets them: those of threads that
   have exited before a tick, for which nobody waits any more; at the END of the run all
   of them that are due. Their place in the code is not known.  END is not called under
   the lock: no thread may be armed or disarmed any more.  */
uint64_t ccprof_carryover_missed(bool end);

/* Forgets all, in the child of a fork.  */
void ccprof_carryover_drop(void);

#endif
