/* SPDX-License-Identifier: MIT */
/* Draws the moments of samples.  Owns nothing: all state is the thread's.  Called where
   threads are armed, and by the SIGPROF handler.  */

#include "rt/sample/interval.h"
#include "rt/os/sys.h"

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
