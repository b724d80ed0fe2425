/* SPDX-License-Identifier: MIT */
/* Owns the intervals that threads have left.  Called by the engine task-clock, where
   threads begin and end.  */

#include "rt/sample/carryover.h"

#define CARRYOVER_MAX 64

static struct {
    struct ccprof_interval interval;
    uint64_t then;
    struct ccprof_carryover_kernel kernel;
} left[CARRYOVER_MAX];
static unsigned count;

void ccprof_carryover_give(const struct ccprof_interval *interval, uint64_t now,
                           struct ccprof_carryover_kernel kernel)
{
    if (count == CARRYOVER_MAX)
        return;
    left[count].interval = *interval;
    left[count].then = now;
    left[count].kernel = kernel;
    count++;
}

bool ccprof_carryover_take(struct ccprof_interval *interval, uint64_t now,
                           struct ccprof_carryover_kernel *kernel)
{
    if (count == 0)
        return false;
    count--;
    *interval = left[count].interval;
    ccprof_interval_go_on(interval, left[count].then, now);
    *kernel = left[count].kernel;
    return true;
}

void ccprof_carryover_drop(void)
{
    count = 0;
}
