/* SPDX-License-Identifier: MIT */
/* Watches for CPU time that no armed thread uses, for the sampler: the CPU time of
   threads whose creation the runtime has not seen.

   Each signal that comes to an armed thread puts off a timer on the process's CPU time.
   So this timer expires only when CPU time passes without such a signal, and then once
   each period.  Its signal goes to the process: the kernel may choose a thread that
   waits, whose system call then returns EINTR.  So the timer must not expire because of
   threads that have their own timers.  */

#ifndef CCPROF_LOOKOUT_H
#define CCPROF_LOOKOUT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Starts the lookout with a PERIOD in nanoseconds.  Returns 0, or an errno value, and
   then the other functions do nothing.  Constructor, child of a fork.  */
int ccprof_lookout_start(uint64_t period);

/* Stops the lookout.  A signal may still be pending.  Any thread; async-signal-safe, as
   are all functions below.  */
void ccprof_lookout_stop(void);

/* Puts the timer off, since a signal came to one of the THREADS armed threads.  */
void ccprof_lookout_put_off(uint64_t threads);

/* Returns whether the signal is the lookout's.  */
bool ccprof_lookout_is(const siginfo_t *info);

/* Returns how many periods of the process's CPU time the lookout's signal stands for.  */
uint64_t ccprof_lookout_take(const siginfo_t *info);

#endif
