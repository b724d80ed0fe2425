/* SPDX-License-Identifier: MIT */
/* Runs a timer on the clock for each thread: the time in which it waits counts too.  Its
   signal makes system calls that wait return EINTR, some of them in spite of SA_RESTART
   (signal(7)).

   Owns the timers of its threads.  */

#define _GNU_SOURCE
#include "rt/os/timer.h"
#include "rt/sample/engine.h"

/* For the next sample.  Should its signal never come to us (the program has waited for
   it, or the thread was just being armed), there is another one.  */
static void wall_timer_plan(const struct ccprof_thread *thread, uint64_t now)
{
    ccprof_timer_at(thread->handle, now + ccprof_interval_wait(&thread->interval, now),
                    thread->interval.period);
}

static int wall_timer_arm(struct ccprof_thread *thread, uint64_t period)
{
    int error = ccprof_timer_make(&thread->handle, CLOCK_MONOTONIC, thread->tid, thread);
    uint64_t now;

    if (error)
        return error;
    now = ccprof_sys_clock(CLOCK_MONOTONIC);
    ccprof_interval_start(&thread->interval, period, now, ccprof_timer_seed());
    wall_timer_plan(thread, now);
    return 0;
}

static void wall_timer_disarm(struct ccprof_thread *thread)
{
    ccprof_timer_delete(thread->handle);
}

static bool wall_timer_is_armed(const struct ccprof_thread *thread)
{
    return ccprof_timer_is_running(thread->handle);
}

static uint64_t wall_timer_take(struct ccprof_thread *thread, const siginfo_t *info)
{
    uint64_t now, due;

    if (info->si_code != SI_TIMER || info->si_value.sival_ptr != thread)
        return 0;
    now = ccprof_sys_clock(CLOCK_MONOTONIC);
    due = ccprof_interval_take(&thread->interval, now);
    wall_timer_plan(thread, now);
    return due;
}

const struct ccprof_engine ccprof_engine_wall_timer = {
    "wall-timer",    true, wall_timer_arm, wall_timer_disarm, NULL, wall_timer_is_armed,
    wall_timer_take, NULL};
