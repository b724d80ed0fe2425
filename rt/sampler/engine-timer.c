/* SPDX-License-Identifier: MIT */
/* Samples each thread with its own POSIX timer. thread-timer runs on the thread's CPU
   time; wall-timer runs on the wall clock, so that waiting time is included. Both
   take samples at the moments of engine.h. The process timer runs on the process's
   CPU time and samples threads without a timer. Owns all these timers. The
   constructor and the child of a fork start the process timer, any thread stops it,
   and the SIGPROF handler takes its samples.

   The kernel checks CPU time only at its tick. So a signal of thread-timer comes late
   and may represent several samples, and a program that runs in step with the tick is
   sampled incorrectly. A signal represents the time from half a tick before it to half a
   tick after it, so a process does not lose the time since its last tick. Samples that
   are still due when a thread ends are taken by another thread (engine.h). A signal of
   wall-timer makes waiting system calls return EINTR, some of them in spite of SA_RESTART
   (signal(7)). */

#define _GNU_SOURCE
#include <stdatomic.h>

#include "rt/os/timer.h"
#include "rt/sampler/engine.h"

/* Sets the timer to the next sample, and then to every period. The later signals are
   needed if the first signal does not reach the runtime, because the program waited
   for SIGPROF itself or because the thread was just being armed.

   The time is relative and never 0. If a CPU timer is set to a time that its clock
   has already reached, the signal comes at once. It would interrupt the code that
   arms the thread, and all samples of threads that end before their first tick would
   fall there. A timer that expires a little later sends its signal at the next tick. */
static void timer_plan(const struct ccprof_thread *thread, uint64_t now)
{
    uint64_t wait = ccprof_interval_wait(&thread->interval, now);

    ccprof_timer_in(thread->handle, wait ? wait : 1, thread->interval.period);
}

static int timer_arm_thread(struct ccprof_thread *thread, uint64_t period)
{
    clockid_t clock = ccprof_timer_clock(thread->tid);
    int error = ccprof_timer_make(&thread->handle, clock, SIGPROF, thread->tid, thread);
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
    int error =
        ccprof_timer_make(&thread->handle, CLOCK_MONOTONIC, SIGPROF, thread->tid, thread);
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

/* The signal represents the time up to AHEAD from now. */
static struct ccprof_taken timer_take(struct ccprof_thread *thread, const siginfo_t *info,
                                      clockid_t clock, uint64_t ahead)
{
    struct ccprof_taken taken = {0};
    uint64_t now;

    if (info->si_code != SI_TIMER || info->si_value.sival_ptr != thread)
        return taken;
    now = ccprof_sys_clock(clock);
    /* A previous engine may have left samples of kernel time. */
    taken.kernel = thread->kernel;
    taken.samples = ccprof_interval_take(&thread->interval, now + ahead) + thread->kernel;
    thread->kernel = 0;
    timer_plan(thread, now);
    return taken;
}

static struct ccprof_taken timer_take_thread(struct ccprof_thread *thread,
                                             const siginfo_t *info, bool at_call)
{
    struct ccprof_taken taken =
        timer_take(thread, info, CLOCK_THREAD_CPUTIME_ID, ccprof_timer_tick() / 2);

    if (taken.samples != 0 && ccprof_ticks_are_kernel(&thread->ticks, at_call)) {
        taken.kernel = taken.samples;
        taken.interrupted = !at_call;
    }
    return taken;
}

static struct ccprof_taken timer_take_wall(struct ccprof_thread *thread,
                                           const siginfo_t *info, bool at_call)
{
    struct ccprof_taken taken = timer_take(thread, info, CLOCK_MONOTONIC, 0);

    if (at_call)
        taken.kernel = taken.samples;
    return taken;
}

const struct ccprof_engine ccprof_engine_thread_timer = {
    "thread-timer", timer_arm_thread, timer_disarm_thread,
    NULL,           timer_is_armed,   timer_take_thread};
const struct ccprof_engine ccprof_engine_wall_timer = {
    "wall-timer", timer_arm_wall, timer_disarm, NULL, timer_is_armed, timer_take_wall};

/* The longest tick of any kernel, in nanoseconds. CPU timers expire at a tick. */
#define PROCESS_TICK 10000000u

/* Factors for the delay of the process timer. A running thread gets a signal at each
   tick or each period of its CPU time, whichever is longer. In the worst case all
   running threads get their signals at the same moment, and one such interval of CPU
   time per running thread passes before the next signal. The delay is EACH intervals
   per running thread, plus MORE intervals for threads in the kernel, whose signals
   come late. */
#define PROCESS_EACH 2
#define PROCESS_MORE 4

/* If the first tick of a child comes a whole tick after the start, less a part of it, or
   later, it stands for all the time before it. */
#define PROCESS_WHOLE_PART 8

/* Number of words of a processor mask. */
#define PROCESS_WORDS 128

static struct {
    bool has_timer;
    int timer;
    uint64_t period;
    uint64_t processors;
    _Atomic bool awaits_tick; /* the first signal comes at a tick */
    uint64_t start;           /* CPU time of the process at the start of the timer */
    _Atomic uint64_t delay;   /* delay of the first signal; 0 after the first signal */
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

void ccprof_process_timer_postpone(uint64_t threads)
{
    uint64_t running =
        threads < process_timer.processors ? threads : process_timer.processors;
    uint64_t delay =
        (PROCESS_EACH * running + PROCESS_MORE) * (process_timer.period + PROCESS_TICK);

    if (!process_timer.has_timer)
        return;
    atomic_store(&process_timer.awaits_tick, false);
    atomic_store(&process_timer.delay, delay);
    ccprof_timer_in(process_timer.timer, delay, process_timer.period);
}

bool ccprof_process_timer_awaits_tick(void)
{
    return atomic_load_explicit(&process_timer.awaits_tick, memory_order_relaxed);
}

int ccprof_process_timer_start(uint64_t period, bool at_tick)
{
    int error = ccprof_timer_make(&process_timer.timer, CLOCK_PROCESS_CPUTIME_ID, SIGPROF,
                                  0, &process_timer.timer);

    process_timer.has_timer = error == 0;
    process_timer.period = period;
    if (!at_tick || process_timer.processors == 0)
        process_timer.processors = process_count_processors();
    atomic_store(&process_timer.awaits_tick, at_tick && !error);
    if (!at_tick)
        ccprof_process_timer_postpone(1);
    process_timer.start = at_tick ? ccprof_sys_clock(CLOCK_PROCESS_CPUTIME_ID) : 0;
    if (at_tick && !error)
        ccprof_timer_in(process_timer.timer, 1, period);
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

static uint64_t process_take_first(void)
{
    uint64_t now = ccprof_sys_clock(CLOCK_PROCESS_CPUTIME_ID);
    uint64_t before = process_timer.start, passed = now - before;
    uint64_t tick = ccprof_timer_tick();
    uint64_t stands_for =
        passed < tick - tick / PROCESS_WHOLE_PART ? tick - passed : passed;

    return (before + stands_for + ccprof_timer_seed() % process_timer.period) /
           process_timer.period;
}

uint64_t ccprof_process_timer_take(const siginfo_t *info)
{
    if (atomic_exchange(&process_timer.awaits_tick, false))
        return process_take_first();
    uint64_t first = atomic_exchange(&process_timer.delay, 0) / process_timer.period;

    return (first ? first : 1) + (uint64_t)info->si_overrun;
}
