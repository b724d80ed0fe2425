/* SPDX-License-Identifier: MIT */
/* Puts each sample into a bucket of the time on the clock, for the setting times.  The
   bucket is kept as an address that no code has, innermost on the stack: what was
   sampled at one point in one bucket is one count, and the table and the overflow log
   need not know of it.  There are CCPROF_TIMES_MOST buckets at most: where the run goes
   on behind the last one, all become twice as wide.  */

#ifndef CCPROF_TIMES_H
#define CCPROF_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/unwind/stack.h"

#define CCPROF_TIMES_MOST 2048

/* What the buckets of a file are: nanoseconds of each, the first bucket's start to now,
   and how often they were doubled.  */
struct ccprof_times_axis {
    uint64_t width; /* 0: times are not kept */
    uint64_t span;
    uint32_t level;
};

/* From now on times are kept, from NOW on the monotonic clock, in buckets of WIDTH
   nanoseconds at first; WIDTH 0: none are.  Constructor.  */
void ccprof_times_start(uint64_t width, uint64_t now);

/* The same in the child of a fork, with the width of before.  */
void ccprof_times_restart(uint64_t now);

/* Whether they are.  */
bool ccprof_times_are_kept(void);

/* Where times count from, also if none are kept.  */
uint64_t ccprof_times_began(void);

/* Puts NOW into the stack, which has room for it and nothing around it yet.
   Async-signal-safe, any thread.  */
void ccprof_times_put(struct ccprof_stack *stack, uint64_t now);

/* The axis for what has been put so far.  */
struct ccprof_times_axis ccprof_times_axis(uint64_t now);

/* Whether it is such an address, and then its bucket on the axis.  */
bool ccprof_times_is_bucket(uint64_t address);
uint64_t ccprof_times_bucket(const struct ccprof_times_axis *axis, uint64_t address);

#endif
