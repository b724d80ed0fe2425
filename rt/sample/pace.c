/* SPDX-License-Identifier: MIT */
/* Owns nothing.  Called wherever threads are armed, and by the handler.  */

#include "rt/sample/pace.h"

/* A signal that comes earlier than this part of a period counts: two clocks of the
   kernel may differ a little.  */
#define PACE_EARLY 8

/* SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
   OOPSLA 2014).  */
static uint64_t pace_random(struct ccprof_pace *pace)
{
    uint64_t x = pace->random += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t ccprof_pace_pick(struct ccprof_pace *pace, uint64_t limit)
{
    return pace_random(pace) % limit;
}

static void pace_draw(struct ccprof_pace *pace)
{
    pace->next = pace->cell + 1 + ccprof_pace_pick(pace, pace->period);
}

void ccprof_pace_start(struct ccprof_pace *pace, uint64_t period, uint64_t now,
                       uint64_t seed)
{
    pace->period = period;
    pace->ahead = 0;
    pace->cell = now;
    pace->random = seed;
    pace_draw(pace);
}

void ccprof_pace_go_on(struct ccprof_pace *pace, uint64_t then, uint64_t now)
{
    pace->ahead += then - now;
}

uint64_t ccprof_pace_take(struct ccprof_pace *pace, uint64_t now)
{
    uint64_t due;

    now += pace->ahead;
    if (now + pace->period / PACE_EARLY < pace->next)
        return 0;
    due = now > pace->cell ? (now - pace->cell) / pace->period : 0;
    pace->cell += due * pace->period;
    if (due != 0) {
        /* Late: the present cell's own moment may be still to come.  */
        pace_draw(pace);
        if (pace->next > now)
            return due;
    }
    pace->cell += pace->period;
    pace_draw(pace);
    return due + 1;
}

uint64_t ccprof_pace_wait(const struct ccprof_pace *pace, uint64_t now)
{
    now += pace->ahead;
    return pace->next > now ? pace->next - now : 0;
}

uint64_t ccprof_pace_late(const struct ccprof_pace *pace, uint64_t now)
{
    now += pace->ahead;
    return now > pace->next ? now - pace->next : 0;
}
