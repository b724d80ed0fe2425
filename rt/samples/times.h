/* SPDX-License-Identifier: MIT */
/* Puts each sample into a bucket of time on the wall clock, for the setting times.  The
   bucket is kept as an address at which no code can be, innermost on the stack.  So the
   samples of one point in one bucket are one count, and the table and the overflow log
   treat the bucket like any address.  There are at most CCPROF_TIMES_MOST buckets: when
   the run goes on behind the last bucket, the width of all buckets doubles.  */

#ifndef CCPROF_TIMES_H
#define CCPROF_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/unwind/stack.h"

#define CCPROF_TIMES_MOST 2048

/* The buckets of a data file: the nanoseconds of one bucket, the nanoseconds from the
   start of the first bucket to now, and how often the width was doubled.  */
struct ccprof_times_axis {
    uint64_t width; /* 0: times are not kept */
    uint64_t span;
    uint32_t level;
};

/* Starts the buckets at the time NOW of the monotonic clock, with a WIDTH in nanoseconds;
   with WIDTH 0 times are not kept.  Constructor.  */
void ccprof_times_start(uint64_t width, uint64_t now);

/* Starts the buckets again at NOW, with the first width, in the child of a fork and after
   a slice.  */
void ccprof_times_restart(uint64_t now);

/* Returns whether times are kept.  */
bool ccprof_times_are_kept(void);

/* Returns the start of the first bucket, which is known even if times are not kept.  */
uint64_t ccprof_times_began(void);

/* Puts the bucket of the time NOW into the stack, which has room and no scope (scope.h)
   yet.  Async-signal-safe, any thread.  */
void ccprof_times_put(struct ccprof_stack *stack, uint64_t now);

/* Returns the buckets as they are at the time NOW.  */
struct ccprof_times_axis ccprof_times_axis(uint64_t now);

/* Return whether an address is a bucket, and the number of its bucket on the axis.  */
bool ccprof_times_is_bucket(uint64_t address);
uint64_t ccprof_times_bucket(const struct ccprof_times_axis *axis, uint64_t address);

#endif
