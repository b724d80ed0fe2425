/* SPDX-License-Identifier: MIT */
/* Passes what a thread that ends has not used of its sampling interval (interval.h), and
   samples that are due but have no place yet, on to the next new thread.  So many brief
   threads together get as many samples as their CPU time asks for, and not each of them
   by chance.

   Called under the lock of the threads' slots (threads.h).  Async-signal-safe.  */

#ifndef CCPROF_CARRYOVER_H
#define CCPROF_CARRYOVER_H

#include <stdbool.h>

#include "rt/sample/interval.h"

/* Samples due for time in the kernel, and the CPU time for which they have waited for a
   place, in nanoseconds.  */
struct ccprof_carryover_kernel {
    uint64_t samples;
    uint64_t waited;
};

/* NOW: on the CPU clock of the thread.  If there is no room what is given is dropped.  */
void ccprof_carryover_give(const struct ccprof_interval *interval, uint64_t now,
                           struct ccprof_carryover_kernel kernel);

/* Returns false and changes nothing if nothing is left.  */
bool ccprof_carryover_take(struct ccprof_interval *interval, uint64_t now,
                           struct ccprof_carryover_kernel *kernel);

/* In the child of a fork.  */
void ccprof_carryover_drop(void);

#endif
