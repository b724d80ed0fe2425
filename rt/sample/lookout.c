/* SPDX-License-Identifier: MIT */
/* Runs the timer that watches for CPU time of threads without an own timer, for the
   sampler.  Owns this timer.  The constructor and the child of a fork call start; any
   thread calls stop; the SIGPROF handler calls the other functions.  */

#define _GNU_SOURCE
#include <stdatomic.h>

#include "rt/os/timer.h"
#include "rt/sample/lookout.h"

/* The longest tick of a kernel, in nanoseconds.  CPU timers expire at a tick.  */
#define LOOKOUT_TICK 10000000u

/* A running thread gets a signal at each tick or each period of its CPU time, whichever
   is longer.  At worst the signals of all running threads come together, so that this
   much CPU time passes between two.  The delay is EACH times that for every running
   thread, plus MORE for threads in the kernel, whose signals come late.  */
#define LOOKOUT_EACH 2
#define LOOKOUT_MORE 4

/* Words of a mask of processors.  */
#define LOOKOUT_WORDS 128

static struct {
    bool has_timer;
    int timer;
    uint64_t period;
    uint64_t processors;
    _Atomic uint64_t delay; /* delay of the first signal; 0: the signal has come */
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
