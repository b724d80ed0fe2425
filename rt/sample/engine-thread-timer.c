/* SPDX-License-Identifier: MIT */
/* Runs a POSIX timer on the CPU time of each thread.  The kernel looks at it at its tick
   only, so that one signal may stand for several periods: it says for how many in
   si_overrun.  A program that is in step with the tick is sampled wrongly.

   Owns the timers of its threads.  */

#define _GNU_SOURCE
#include "rt/os/timer.h"
#include "rt/sample/engine.h"

static int thread_timer_arm(struct ccprof_thread *thread, uint64_t period)
{
    int error = ccprof_timer_make(&thread->handle, ccprof_timer_clock(thread->tid),
                                  thread->tid, thread);
    if (error)
        return error;
    return ccprof_timer_start(thread->handle, ccprof_timer_phase(period), period);
}

static void thread_timer_disarm(struct ccprof_thread *thread)
{
    ccprof_timer_delete(thread->handle);
}

static bool thread_timer_is_armed(const struct ccprof_thread *thread)
{
    return ccprof_timer_is_running(thread->handle);
}

static uint64_t thread_timer_take(struct ccprof_thread *thread, const siginfo_t *info)
{
    if (info->si_code != SI_TIMER || info->si_value.sival_ptr != thread)
        return 0;
    return 1 + (uint64_t)info->si_overrun;
}

const struct ccprof_engine ccprof_engine_thread_timer = {
    "thread-timer",      false, thread_timer_arm,
    thread_timer_disarm, NULL,  thread_timer_is_armed,
    thread_timer_take,   NULL};
