/* SPDX-License-Identifier: MIT */
/* Watches for CPU time that no armed thread uses, for the sampler: that of threads whose
   creation nobody saw.

   A timer on the process's CPU time is put off by each signal that comes to an armed
   thread.  So it expires only when CPU time goes by without one, and then each period.
   Its signal is the process's, and the kernel may give it to a thread that waits, whose
   system call then returns EINTR: that is why no thread which has a timer of its own may
   let it expire.  */

#ifndef CCPROF_LOOKOUT_H
#define CCPROF_LOOKOUT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Sampling each PERIOD nanoseconds starts.  Returns 0 or an errno value; then there is no
   lookout, and the others do nothing.  Constructor, child of a fork.  */
int ccprof_lookout_start(uint64_t period);

/* A signal may still be pending.  Any thread; async-signal-safe, as are the next.  */
void ccprof_lookout_stop(void);

/* A signal came to one of THREADS armed ones.  */
void ccprof_lookout_put_off(uint64_t threads);

/* Whether the signal is the lookout's.  */
bool ccprof_lookout_is(const siginfo_t *info);

/* How many periods of the process's CPU time its signal stands for.  */
uint64_t ccprof_lookout_take(const siginfo_t *info);

#endif
