/* SPDX-License-Identifier: MIT */
/* What the engines share.  Owns the remainder: the intervals of threads that have ended.
   All other state is the thread's.  Called where threads are armed and disarmed, and by
   the SIGPROF handler.  */

#define _GNU_SOURCE
#include <stdatomic.h>

#include "rt/sample/engine.h"
#include "rt/os/sys.h"
#include "rt/os/timer.h"

/* A signal counts although it comes early by up to this part of a period, since two
   clocks of the kernel may differ a little.  */
#define INTERVAL_EARLY 8

/* SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
   OOPSLA 2014).  */
static uint64_t interval_random(struct ccprof_interval *interval)
{
    uint64_t x = interval->random += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t ccprof_interval_pick(struct ccprof_interval *interval, uint64_t limit)
{
    return interval_random(interval) % limit;
}

static void interval_draw(struct ccprof_interval *interval)
{
    interval->next =
        interval->start + 1 + ccprof_interval_pick(interval, interval->period);
}

void ccprof_interval_start(struct ccprof_interval *interval, uint64_t period,
                           uint64_t now, uint64_t seed)
{
    ccprof_assert(period != 0);
    interval->period = period;
    interval->ahead = 0;
    interval->start = now;
    interval->random = seed;
    interval_draw(interval);
}

void ccprof_interval_go_on(struct ccprof_interval *interval, uint64_t then, uint64_t now)
{
    interval->ahead += then - now;
}

uint64_t ccprof_interval_take(struct ccprof_interval *interval, uint64_t now)
{
    uint64_t due;

    now += interval->ahead;
    if (now + interval->period / INTERVAL_EARLY < interval->next)
        return 0;
    due = now > interval->start ? (now - interval->start) / interval->period : 0;
    interval->start += due * interval->period;
    if (due != 0) {
        /* The signal is late: the moment of the current interval may be still to
           come.  */
        interval_draw(interval);
        if (interval->next > now)
            return due;
    }
    interval->start += interval->period;
    interval_draw(interval);
    return due + 1;
}

uint64_t ccprof_interval_wait(const struct ccprof_interval *interval, uint64_t now)
{
    now += interval->ahead;
    return interval->next > now ? interval->next - now : 0;
}

uint64_t ccprof_interval_late(const struct ccprof_interval *interval, uint64_t now)
{
    now += interval->ahead;
    return now > interval->next ? now - interval->next : 0;
}

#define REMAINDER_MAX 64

/* Nanoseconds: the tick of the slowest kernel, and eight of them.  If ticks come at
   random moments of CPU time, the chance that none comes in eight is 1 in 3,000.  A
   thread that lives for longer than a tick and has no signal has blocked it, or there is
   no timer.  */
#define REMAINDER_TICK 10000000u
#define REMAINDER_LATE (8 * REMAINDER_TICK)

static struct {
    struct ccprof_interval interval;
    uint64_t then;
    uint64_t kernel; /* samples due for time in the kernel, of unknown address */
    uint64_t waited; /* CPU time for which these samples have waited for an address */
} left[REMAINDER_MAX];
static unsigned count;
static _Atomic uint64_t owed;
static _Atomic uint64_t missed;

void ccprof_remainder_owe(uint64_t samples)
{
    atomic_fetch_add(&owed, samples);
}

void ccprof_remainder_keep(struct ccprof_thread *thread, uint64_t now)
{
    if (now < REMAINDER_TICK &&
        ccprof_interval_late(&thread->interval, now) > REMAINDER_LATE)
        atomic_fetch_add(&missed, ccprof_interval_take(&thread->interval, now));
    if (count == REMAINDER_MAX) {
        ccprof_remainder_owe(ccprof_interval_take(&thread->interval, now) +
                             thread->kernel);
        return;
    }
    left[count].interval = thread->interval;
    left[count].then = now;
    left[count].kernel = thread->kernel;
    left[count].waited = now - thread->kernel_since;
    count++;
}

void ccprof_remainder_resume(struct ccprof_thread *thread, uint64_t period, uint64_t now)
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

uint64_t ccprof_remainder_take(uint64_t most)
{
    uint64_t there = atomic_load_explicit(&owed, memory_order_relaxed), claim;

    do
        claim = there < most ? there : most;
    while (claim != 0 && !atomic_compare_exchange_weak(&owed, &there, there - claim));
    return claim;
}

uint64_t ccprof_remainder_missed(bool end)
{
    uint64_t samples = atomic_exchange(&missed, 0);

    if (!end)
        return samples;
    for (; count != 0; count--)
        if (left[count - 1].then < REMAINDER_TICK)
            samples +=
                ccprof_interval_take(&left[count - 1].interval, left[count - 1].then);
    return samples;
}

void ccprof_remainder_drop(void)
{
    count = 0;
    atomic_store(&missed, 0);
    atomic_store(&owed, 0);
}

/* Ticks.  If all ticks since the last signal are of one mode, so is the tick of this
   signal. Otherwise each signal adds the part of its ticks that were in the kernel to the
   rest, and a signal that is found to be there takes a whole signal from it: so as many
   signals are found in the kernel as there were ticks.  A signal at a system call is
   found first.  */

/* The calling thread's time in user mode and in all, by the kernel's ticks (linux:
   include/linux/posix-timers_types.h).  */
#define TICKS_CLOCK(kind) ((clockid_t)(~0u << 3 | 4u | (kind)))
#define TICKS_ALL         TICKS_CLOCK(0u)
#define TICKS_USER        TICKS_CLOCK(1u)

/* A whole signal.  Of several ticks, a signal at a system call needs this much of the
   rest to be found in the kernel, and one elsewhere that much.  */
#define TICKS_WHOLE     1024
#define TICKS_AT_CALL   (-2 * TICKS_WHOLE)
#define TICKS_ELSEWHERE (TICKS_WHOLE / 2)

/* Returns the part of the time since the last signal, in TICKS_WHOLE, that was in the
   kernel; negative if that is not known.  */
static int32_t ticks_part(struct ccprof_ticks *ticks, uint64_t user, uint64_t all)
{
    uint64_t before = ticks->all, passed = all - ticks->all;
    uint64_t kernel = passed - (user - ticks->user);

    ticks->user = user;
    ticks->all = all;
    if (before == 0 || passed == 0 || kernel > passed)
        return -1;
    ticks->unseen += (int64_t)(passed - kernel);
    return (int32_t)(kernel * TICKS_WHOLE / passed);
}

bool ccprof_ticks_judge(struct ccprof_ticks *ticks, uint64_t user, uint64_t all,
                        bool at_call)
{
    int32_t part = ticks_part(ticks, user, all);

    if (part < 0)
        return at_call;
    if (part == 0 || part == TICKS_WHOLE)
        return part != 0;
    ticks->rest += part;
    if (ticks->rest < (at_call ? TICKS_AT_CALL : TICKS_ELSEWHERE))
        return false;
    ticks->rest -= TICKS_WHOLE;
    return true;
}

bool ccprof_ticks_are_kernel(struct ccprof_ticks *ticks, bool at_call)
{
    uint64_t user = ccprof_sys_clock(TICKS_USER);

    return ccprof_ticks_judge(ticks, user, ccprof_sys_clock(TICKS_ALL), at_call);
}
