/* SPDX-License-Identifier: MIT */
/* Runs a POSIX timer for each thread: thread-timer on the thread's CPU time, wall-timer
   on the clock, where the time in which it waits counts, too.  The moments are those of
   interval.h on that clock.

   The kernel looks at CPU time at its tick only, so that a signal comes late and may
   stand for several samples: a program that is in step with the tick is sampled wrongly.
   What a thread has not been told of when it ends is left to another (carryover.h).

   The signal of wall-timer makes system calls that wait return EINTR, some of them in
   spite of SA_RESTART (signal(7)).

   Owns the timers of its threads.  */

#define _GNU_SOURCE
#include "rt/os/timer.h"
#include "rt/sample/carryover.h"
#include "rt/sample/engine.h"

/* A timer that is started when it has expired sends its signal at once, to where the
   thread has not used that time.  By this many nanoseconds more it is its next tick that
   does.  */
#define TIMER_SOON 1000

/* For the next sample.  Should its signal never come to us (the program has waited for
   it, or the thread was just being armed), there is another one.  */
static void timer_plan(const struct ccprof_thread *thread, uint64_t now)
{
    uint64_t wait = ccprof_interval_wait(&thread->interval, now);

    ccprof_timer_at(thread->handle, now + (wait > TIMER_SOON ? wait : TIMER_SOON),
                    thread->interval.period);
}

static int timer_arm_thread(struct ccprof_thread *thread, uint64_t period)
{
    clockid_t clock = ccprof_timer_clock(thread->tid);
    int error = ccprof_timer_make(&thread->handle, clock, thread->tid, thread);
    uint64_t now;

    if (error)
        return error;
    now = ccprof_sys_clock(clock);
    ccprof_carryover_begin(thread, period, now);
    timer_plan(thread, now);
    return 0;
}

static int timer_arm_wall(struct ccprof_thread *thread, uint64_t period)
{
    int error = ccprof_timer_make(&thread->handle, CLOCK_MONOTONIC, thread->tid, thread);
    uint64_t now;

    if (error)
        return error;
    now = ccprof_sys_clock(CLOCK_MONOTONIC);
    ccprof_interval_start(&thread->interval, period, now, ccprof_timer_seed());
    thread->kernel = 0;
    timer_plan(thread, now);
    return 0;
}

static void timer_disarm(struct ccprof_thread *thread)
{
    ccprof_timer_delete(thread->handle);
}

static void timer_disarm_thread(struct ccprof_thread *thread)
{
    if (thread->ending)
        ccprof_carryover_end(thread, ccprof_sys_clock(ccprof_timer_clock(thread->tid)));
    timer_disarm(thread);
}

static bool timer_is_armed(const struct ccprof_thread *thread)
{
    return ccprof_timer_is_running(thread->handle);
}

static uint64_t timer_take(struct ccprof_thread *thread, const siginfo_t *info,
                           clockid_t clock)
{
    uint64_t now, due;

    if (info->si_code != SI_TIMER || info->si_value.sival_ptr != thread)
        return 0;
    now = ccprof_sys_clock(clock);
    /* Another engine may have left some.  */
    due = ccprof_interval_take(&thread->interval, now) + thread->kernel;
    thread->kernel = 0;
    timer_plan(thread, now);
    return due;
}

static uint64_t timer_take_thread(struct ccprof_thread *thread, const siginfo_t *info,
                                  const void *context)
{
    (void)context;
    return timer_take(thread, info, CLOCK_THREAD_CPUTIME_ID);
}

static uint64_t timer_take_wall(struct ccprof_thread *thread, const siginfo_t *info,
                                const void *context)
{
    (void)context;
    return timer_take(thread, info, CLOCK_MONOTONIC);
}

const struct ccprof_engine ccprof_engine_thread_timer = {
    "thread-timer", timer_arm_thread, timer_disarm_thread,
    NULL,           timer_is_armed,   timer_take_thread};
const struct ccprof_engine ccprof_engine_wall_timer = {
    "wall-timer", timer_arm_wall, timer_disarm, NULL, timer_is_armed, timer_take_wall};
