/* SPDX-License-Identifier: MIT */
/* Assigns each sample to a bucket of real time, for the setting times. The bucket is
   encoded as an address where no code can be, at the inner end of the stack. The
   samples of one point in one bucket are thus one count, and the table and the
   overflow log treat the bucket like other addresses. There are at most
   CCPROF_TIMES_MOST buckets: if the run lasts longer than all buckets, the width of
   all buckets doubles. */

#ifndef CCPROF_TIMES_H
#define CCPROF_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/unwind/stack.h"

#define CCPROF_TIMES_MOST 2048

/* The time buckets of a data file: nanoseconds per bucket, nanoseconds from the start
   of the first bucket until now, and how often the width was doubled. */
struct ccprof_times_axis {
    uint64_t width; /* 0: times are not recorded */
    uint64_t span;
    uint32_t level;
};

/* Starts the buckets at the time NOW of the monotonic clock. WIDTH is in nanoseconds;
   if it is 0, times are not recorded. Called by the constructor. */
void ccprof_times_start(uint64_t width, uint64_t now);

/* Starts the buckets again at NOW, with the initial width. Called in the child of a
   fork and after a slice is written. */
void ccprof_times_restart(uint64_t now);

/* Returns whether times are recorded. */
bool ccprof_times_are_kept(void);

/* Returns the start of the first bucket, which is set even if times are not recorded. */
uint64_t ccprof_times_began(void);

/* Adds the bucket of the time NOW to the inner end of the stack, which must have room,
   and no tags (tags.h) yet. Async-signal-safe, any thread. */
void ccprof_times_put(struct ccprof_stack *stack, uint64_t now);

/* Returns the state of the buckets at the time NOW. */
struct ccprof_times_axis ccprof_times_axis(uint64_t now);

/* Return whether an address encodes a bucket, and the index of this bucket in AXIS. */
bool ccprof_times_is_bucket(uint64_t address);
uint64_t ccprof_times_bucket(const struct ccprof_times_axis *axis, uint64_t address);

#endif
