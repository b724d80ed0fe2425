/* SPDX-License-Identifier: MIT */
/* Samples each thread by a POSIX timer of its own: thread-timer runs on the thread's CPU
   time, wall-timer on the wall clock, so that waiting counts, too.  Both take samples at
   the moments of engine.h.  The process timer, on the process's CPU time, samples threads
   without a timer.  Owns all these timers.  The constructor and the child of a fork start
   the process timer; any thread stops it; the SIGPROF handler takes its samples.

   The kernel looks at CPU time only at its tick.  So a signal of thread-timer comes late
   and may stand for several samples, and a program that runs in step with the tick is
   sampled wrongly.  Samples that are still due when a thread ends go to another thread
   (engine.h).  A signal of wall-timer makes system calls that wait return EINTR, some
   of them in spite of SA_RESTART (signal(7)).  */

#define _GNU_SOURCE
#include <stdatomic.h>

#include "rt/os/timer.h"
#include "rt/sample/engine.h"

/* Sets the timer to the next sample, and then to each period: if the first signal does
   not reach the runtime, because the program has waited for it or the thread was just
   being armed, a second one comes.

   The time is relative, and never 0.  A CPU timer that is set to a time that its clock
   has reached sends the signal at once: it would interrupt the code that arms the thread,
   and the samples of threads that end before their first tick would all be there.  A
   timer that expires later, however soon, sends it at the next tick.  */
static void timer_plan(const struct ccprof_thread *thread, uint64_t now)
{
    uint64_t wait = ccprof_interval_wait(&thread->interval, now);

    ccprof_timer_in(thread->handle, wait ? wait : 1, thread->interval.period);
}

static int timer_arm_thread(struct ccprof_thread *thread, uint64_t period)
{
    clockid_t clock = ccprof_timer_clock(thread->tid);
    int error = ccprof_timer_make(&thread->handle, clock, thread->tid, thread);
    uint64_t now;

    if (error)
        return error;
    now = ccprof_sys_clock(clock);
    ccprof_remainder_resume(thread, period, now);
    thread->ticks = (struct ccprof_ticks){0};
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
        ccprof_remainder_keep(thread, ccprof_sys_clock(ccprof_timer_clock(thread->tid)));
    timer_disarm(thread);
}

static bool timer_is_armed(const struct ccprof_thread *thread)
{
    return ccprof_timer_is_running(thread->handle);
}

static struct ccprof_taken timer_take(struct ccprof_thread *thread, const siginfo_t *info,
                                      clockid_t clock)
{
    struct ccprof_taken taken = {0};
    uint64_t now;

    if (info->si_code != SI_TIMER || info->si_value.sival_ptr != thread)
        return taken;
    now = ccprof_sys_clock(clock);
    /* Another engine may have left samples for time in the kernel.  */
    taken.kernel = thread->kernel;
    taken.samples = ccprof_interval_take(&thread->interval, now) + thread->kernel;
    thread->kernel = 0;
    timer_plan(thread, now);
    return taken;
}

static struct ccprof_taken timer_take_thread(struct ccprof_thread *thread,
                                             const siginfo_t *info, bool at_call)
{
    struct ccprof_taken taken = timer_take(thread, info, CLOCK_THREAD_CPUTIME_ID);

    if (taken.samples != 0 && ccprof_ticks_are_kernel(&thread->ticks, at_call)) {
        taken.kernel = taken.samples;
        taken.interrupted = !at_call;
    }
    return taken;
}

static struct ccprof_taken timer_take_wall(struct ccprof_thread *thread,
                                           const siginfo_t *info, bool at_call)
{
    struct ccprof_taken taken = timer_take(thread, info, CLOCK_MONOTONIC);

    if (at_call)
        taken.kernel = taken.samples;
    return taken;
}

const struct ccprof_engine ccprof_engine_thread_timer = {
    "thread-timer", timer_arm_thread, timer_disarm_thread,
    NULL,           timer_is_armed,   timer_take_thread};
const struct ccprof_engine ccprof_engine_wall_timer = {
    "wall-timer", timer_arm_wall, timer_disarm, NULL, timer_is_armed, timer_take_wall};

/* The longest tick of a kernel, in nanoseconds.  CPU timers expire at a tick.  */
#define PROCESS_TICK 10000000u

/* A running thread gets a signal at each tick or each period of its CPU time, whichever
   is longer.  At worst the signals of all running threads come together, so that this
   much CPU time passes between two.  The delay is EACH times that for every running
   thread, plus MORE for threads in the kernel, whose signals come late.  */
#define PROCESS_EACH 2
#define PROCESS_MORE 4

/* Words of a mask of processors.  */
#define PROCESS_WORDS 128

static struct {
    bool has_timer;
    int timer;
    uint64_t period;
    uint64_t processors;
    _Atomic uint64_t delay; /* delay of the first signal; 0: the signal has come */
} process_timer;

static uint64_t process_count_processors(void)
{
    unsigned long mask[PROCESS_WORDS];
    long size = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    uint64_t processors = 0;

    for (long i = 0; i < size / (long)sizeof *mask; i++)
        for (unsigned long rest = mask[i]; rest; rest &= rest - 1)
            processors++;
    return processors ? processors : 1;
}

void ccprof_process_timer_put_off(uint64_t threads)
{
    uint64_t running =
        threads < process_timer.processors ? threads : process_timer.processors;
    uint64_t delay =
        (PROCESS_EACH * running + PROCESS_MORE) * (process_timer.period + PROCESS_TICK);

    if (!process_timer.has_timer)
        return;
    atomic_store(&process_timer.delay, delay);
    ccprof_timer_in(process_timer.timer, delay, process_timer.period);
}

int ccprof_process_timer_start(uint64_t period)
{
    int error = ccprof_timer_make(&process_timer.timer, CLOCK_PROCESS_CPUTIME_ID, 0,
                                  &process_timer.timer);

    process_timer.has_timer = error == 0;
    process_timer.period = period;
    process_timer.processors = process_count_processors();
    ccprof_process_timer_put_off(1);
    return error;
}

void ccprof_process_timer_stop(void)
{
    if (process_timer.has_timer)
        ccprof_timer_delete(process_timer.timer);
    process_timer.has_timer = false;
}

bool ccprof_process_timer_is(const siginfo_t *info)
{
    return info->si_code == SI_TIMER && info->si_value.sival_ptr == &process_timer.timer;
}

uint64_t ccprof_process_timer_take(const siginfo_t *info)
{
    uint64_t first = atomic_exchange(&process_timer.delay, 0) / process_timer.period;

    return (first ? first : 1) + (uint64_t)info->si_overrun;
}
