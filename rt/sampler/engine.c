/* SPDX-License-Identifier: MIT */
/* Implements the parts that the engines share. Owns the remainder: the intervals of
   threads that have ended. All other state belongs to the thread. Called when
   threads are armed and disarmed, and by the SIGPROF handler. */

#define _GNU_SOURCE
#include <stdatomic.h>

#include "rt/sampler/engine.h"
#include "rt/os/sys.h"
#include "rt/os/timer.h"

/* A signal may come too early by at most a period divided by EARLY and still takes its
   sample, since two clocks of the kernel may differ slightly. */
#define INTERVAL_EARLY 8

/* SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
   OOPSLA 2014). */
static uint64_t interval_next_random(struct ccprof_interval *interval)
{
    uint64_t x = interval->random += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t ccprof_interval_pick(struct ccprof_interval *interval, uint64_t limit)
{
    return interval_next_random(interval) % limit;
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

void ccprof_interval_continue(struct ccprof_interval *interval, uint64_t then,
                              uint64_t now)
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
        /* The signal is late, but the moment of the current interval may still be in
           the future. */
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

/* The tick of the slowest kernel, and eight such ticks, in nanoseconds. If ticks come
   at random moments of CPU time, the probability of no tick during eight ticks of CPU
   time is 1 in 3,000. If a thread runs for longer than a tick without a signal, it
   has blocked the signal or there is no timer. */
#define REMAINDER_TICK 10000000u
#define REMAINDER_LATE (8 * REMAINDER_TICK)

static struct {
    struct ccprof_interval interval;
    uint64_t then;
    uint64_t kernel; /* due samples of kernel time without an address yet */
    uint64_t waited; /* CPU time for which these samples have waited */
} remainders[REMAINDER_MAX];
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
    remainders[count].interval = thread->interval;
    remainders[count].then = now;
    remainders[count].kernel = thread->kernel;
    remainders[count].waited = now - thread->kernel_since;
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
    thread->interval = remainders[count].interval;
    ccprof_interval_continue(&thread->interval, remainders[count].then, now);
    thread->kernel = remainders[count].kernel;
    /* This wraps around if the samples have waited longer than the thread has existed;
       later differences are correct all the same. */
    thread->kernel_since = now - remainders[count].waited;
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
        if (remainders[count - 1].then < REMAINDER_TICK)
            samples += ccprof_interval_take(&remainders[count - 1].interval,
                                            remainders[count - 1].then);
    return samples;
}

void ccprof_remainder_drop(void)
{
    count = 0;
    atomic_store(&missed, 0);
    atomic_store(&owed, 0);
}

/* Ticks. If all ticks since the last signal were in the same mode, the tick of this
   signal was, too. Otherwise each signal adds the fraction of its ticks that were in
   the kernel to REST. A signal that is judged to be in the kernel subtracts a whole
   signal from REST. In this way the number of signals in the kernel agrees with the
   ticks. Signals at a system call are preferred. */

/* The calling thread's user time and total time, as counted by the kernel's ticks
   (Linux: include/linux/posix-timers_types.h). */
#define TICKS_CLOCK(kind) ((clockid_t)(~0u << 3 | 4u | (kind)))
#define TICKS_ALL         TICKS_CLOCK(0u)
#define TICKS_USER        TICKS_CLOCK(1u)

/* WHOLE represents one signal. The other two are the minimum values of REST at which
   a signal is judged to be in the kernel: AT_CALL for a signal at a system call,
   ELSEWHERE for other signals. */
#define TICKS_WHOLE     1024
#define TICKS_AT_CALL   (-2 * TICKS_WHOLE)
#define TICKS_ELSEWHERE (TICKS_WHOLE / 2)

/* Returns the fraction of kernel time since the last signal, in units of 1 /
   TICKS_WHOLE; negative if it is not known. */
static int32_t ticks_kernel_fraction(struct ccprof_ticks *ticks, uint64_t user,
                                     uint64_t all)
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
    int32_t part = ticks_kernel_fraction(ticks, user, all);

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

uint64_t ccprof_ticks_user(const struct ccprof_ticks *ticks)
{
    return ccprof_sys_clock(TICKS_USER) - ticks->user;
}

bool ccprof_ticks_are_mostly_user(void)
{
    return 2 * ccprof_sys_clock(TICKS_USER) > ccprof_sys_clock(TICKS_ALL);
}

bool ccprof_ticks_are_kernel(struct ccprof_ticks *ticks, bool at_call)
{
    uint64_t user = ccprof_sys_clock(TICKS_USER);

    return ccprof_ticks_judge(ticks, user, ccprof_sys_clock(TICKS_ALL), at_call);
}
