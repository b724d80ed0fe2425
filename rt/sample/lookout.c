/* SPDX-License-Identifier: MIT */
/* Runs the timer that watches for CPU time of threads without a timer, for the sampler,
   and owns that timer.  start: constructor, child of a fork; stop: any thread; the rest:
   the SIGPROF handler.  */

#define _GNU_SOURCE
#include <stdatomic.h>

#include "rt/os/timer.h"
#include "rt/sample/lookout.h"

/* The kernel's tick, at which timers on CPU time expire, is not longer, in nanoseconds.
 */
#define LOOKOUT_TICK 10000000u

/* Threads that run have signals at each tick or period of their own CPU time, whichever
   is longer, all at once at worst: so much CPU time may go by between two.  Twice that
   for each that can run, and for some that the kernel works for, which have theirs late.
 */
#define LOOKOUT_EACH 2
#define LOOKOUT_MORE 4

/* A mask of so many processors.  */
#define LOOKOUT_WORDS 128

static struct {
    bool has_timer;
    int timer;
    uint64_t period;
    uint64_t processors;
    _Atomic uint64_t delay; /* of the first signal; 0: it has come */
} lookout;

static uint64_t lookout_processors(void)
{
    unsigned long mask[LOOKOUT_WORDS];
    long size = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    uint64_t processors = 0;

    for (long i = 0; i < size / (long)sizeof *mask; i++)
        for (unsigned long rest = mask[i]; rest; rest &= rest - 1)
            processors++;
    return processors ? processors : 1;
}

void ccprof_lookout_put_off(uint64_t threads)
{
    uint64_t running = threads < lookout.processors ? threads : lookout.processors;
    uint64_t delay =
        (LOOKOUT_EACH * running + LOOKOUT_MORE) * (lookout.period + LOOKOUT_TICK);

    if (!lookout.has_timer)
        return;
    atomic_store(&lookout.delay, delay);
    ccprof_timer_in(lookout.timer, delay, lookout.period);
}

int ccprof_lookout_start(uint64_t period)
{
    int error =
        ccprof_timer_make(&lookout.timer, CLOCK_PROCESS_CPUTIME_ID, 0, &lookout.timer);

    lookout.has_timer = error == 0;
    lookout.period = period;
    lookout.processors = lookout_processors();
    ccprof_lookout_put_off(1);
    return error;
}

void ccprof_lookout_stop(void)
{
    if (lookout.has_timer)
        ccprof_timer_delete(lookout.timer);
    lookout.has_timer = false;
}

bool ccprof_lookout_is(const siginfo_t *info)
{
    return info->si_code == SI_TIMER && info->si_value.sival_ptr == &lookout.timer;
}

uint64_t ccprof_lookout_take(const siginfo_t *info)
{
    uint64_t first = atomic_exchange(&lookout.delay, 0) / lookout.period;

    return (first ? first : 1) + (uint64_t)info->si_overrun;
}
