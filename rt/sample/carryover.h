/* SPDX-License-Identifier: MIT */
/* Passes an exiting thread's unfinished sampling interval (interval.h), and its samples
   that are due but not yet taken, on to the next new thread.  So many brief threads
   together get as many samples as their CPU time asks for, and not each of them by
   chance.

   Called under the lock of the threads' slots (threads.h).  Async-signal-safe.  */

#ifndef CCPROF_CARRYOVER_H
#define CCPROF_CARRYOVER_H

#include <stdbool.h>

#include "rt/sample/interval.h"

/* Samples due for time in the kernel, whose stack is not known yet, and the CPU time for
   which they have waited for one, in nanoseconds.  */
struct ccprof_carryover_kernel {
    uint64_t samples;
    uint64_t waited;
};

/* The thread exits at NOW on its CPU clock.  If there is no room what it gives is
   dropped.  */
void ccprof_carryover_give(const struct ccprof_interval *interval, uint64_t now,
                           struct ccprof_carryover_kernel kernel);

/* The thread begins at NOW on its CPU clock.  Returns false and changes nothing if no
   interval is left.  */
bool ccprof_carryover_take(struct ccprof_interval *interval, uint64_t now,
                           struct ccprof_carryover_kernel *kernel);

/* In the child of a fork: forgets all.  */
void ccprof_carryover_drop(void);

#endif
