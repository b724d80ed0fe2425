/* SPDX-License-Identifier: MIT */
/* Owns the intervals of threads that have exited.  Engines call begin and end, where they
   arm and disarm threads; the SIGPROF handler calls the other functions.  */

#include <stdatomic.h>

#include "rt/sample/carryover.h"
#include "rt/os/timer.h"

#define CARRYOVER_MAX 64

/* Nanoseconds: the tick of the slowest kernel, and eight of them.  If ticks come at
   random moments of CPU time, the chance that none comes in eight is 1 in 3,000.  A
   thread that lives for longer than a tick and has no signal has blocked it, or there is
   no timer.  */
#define CARRYOVER_TICK 10000000u
#define CARRYOVER_LATE (8 * CARRYOVER_TICK)

static struct {
    struct ccprof_interval interval;
    uint64_t then;
    uint64_t kernel; /* samples due for time in the kernel, of unknown address */
    uint64_t waited; /* CPU time for which these samples have waited for an address */
} left[CARRYOVER_MAX];
static unsigned count;
static _Atomic uint64_t owed;
static _Atomic uint64_t missed;

void ccprof_carryover_owe(uint64_t samples)
{
    atomic_fetch_add(&owed, samples);
}

void ccprof_carryover_end(struct ccprof_thread *thread, uint64_t now)
{
    if (now < CARRYOVER_TICK &&
        ccprof_interval_late(&thread->interval, now) > CARRYOVER_LATE)
        atomic_fetch_add(&missed, ccprof_interval_take(&thread->interval, now));
    if (count == CARRYOVER_MAX) {
        ccprof_carryover_owe(ccprof_interval_take(&thread->interval, now) +
                             thread->kernel);
        return;
    }
    left[count].interval = thread->interval;
    left[count].then = now;
    left[count].kernel = thread->kernel;
    left[count].waited = now - thread->kernel_since;
    count++;
}

void ccprof_carryover_begin(struct ccprof_thread *thread, uint64_t period, uint64_t now)
{
    if (count == 0) {
        ccprof_interval_start(&thread->interval, period, now, ccprof_timer_seed());
        thread->kernel = 0;
        thread->kernel_since = now;
        return;
    }
    count--;
    thread->interval = left[count].interval;
    ccprof_interval_go_on(&thread->interval, left[count].then, now);
    thread->kernel = left[count].kernel;
    /* The difference wraps around below 0 if the samples have waited for longer than the
       thread has lived.  */
    thread->kernel_since = now - left[count].waited;
}

uint64_t ccprof_carryover_claim(uint64_t most)
{
    uint64_t there = atomic_load_explicit(&owed, memory_order_relaxed), claim;

    do
        claim = there < most ? there : most;
    while (claim != 0 && !atomic_compare_exchange_weak(&owed, &there, there - claim));
    return claim;
}

uint64_t ccprof_carryover_missed(bool end)
{
    uint64_t samples = atomic_exchange(&missed, 0);

    if (!end)
        return samples;
    for (; count != 0; count--)
        if (left[count - 1].then < CARRYOVER_TICK)
            samples +=
                ccprof_interval_take(&left[count - 1].interval, left[count - 1].then);
    return samples;
}

void ccprof_carryover_drop(void)
{
    count = 0;
    atomic_store(&missed, 0);
    atomic_store(&owed, 0);
}
