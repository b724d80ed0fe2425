/* SPDX-License-Identifier: MIT */
/* Owns the width of the buckets of time. The constructor and the child of a fork call
   start and restart. The SIGPROF handler calls put. Began and axis are called when
   the profile is written.

   An address contains the width of its bucket, so that it stays valid when the width
   grows: the writer of the profile converts narrow buckets to the final width. */

#include <stdatomic.h>
#include <string.h>

#include "rt/samples/times.h"
#include "rt/os/sys.h"
#include "rt/samples/tags.h"

/* Position of the number of doublings in an address. The number of the bucket is in
   the bits below. */
#define TIMES_LEVEL_SHIFT 32

static uint64_t first_width; /* nanoseconds; 0: times are not recorded */
static uint64_t began;
static _Atomic uint32_t doubled; /* how often the width was doubled */

void ccprof_times_start(uint64_t width, uint64_t now)
{
    first_width = width;
    ccprof_times_restart(now);
}

void ccprof_times_restart(uint64_t now)
{
    began = now;
    atomic_store(&doubled, 0);
}

bool ccprof_times_are_kept(void)
{
    return first_width != 0;
}

uint64_t ccprof_times_began(void)
{
    return began;
}

static uint64_t times_since(uint64_t now)
{
    return now > began ? now - began : 0;
}

/* Returns how often the width must be doubled so that BUCKET, an index in the initial
   width, is in range. The width never shrinks. */
static uint32_t times_level(uint64_t bucket)
{
    uint32_t before = atomic_load_explicit(&doubled, memory_order_relaxed);

    for (;;) {
        uint32_t level = before;
        while (bucket >> level >= CCPROF_TIMES_MOST)
            level++;
        if (level == before || atomic_compare_exchange_weak(&doubled, &before, level))
            return level;
    }
}

void ccprof_times_put(struct ccprof_stack *stack, uint64_t now)
{
    uint64_t bucket = times_since(now) / first_width;
    uint64_t level = times_level(bucket);

    ccprof_assert(stack->depth <= CCPROF_STACK_DEPTH - CCPROF_STACK_AROUND + 1);
    memmove(stack->address + 1, stack->address, stack->depth * sizeof *stack->address);
    stack->address[0] = CCPROF_TAGS_TIME | level << TIMES_LEVEL_SHIFT | bucket >> level;
    stack->depth++;
}

struct ccprof_times_axis ccprof_times_axis(uint64_t now)
{
    struct ccprof_times_axis axis = {.width = first_width};

    if (axis.width == 0)
        return axis;
    axis.span = times_since(now);
    axis.level = times_level(axis.span / first_width);
    axis.width <<= axis.level;
    return axis;
}

bool ccprof_times_is_bucket(uint64_t address)
{
    return (address & CCPROF_TAGS_KIND) == CCPROF_TAGS_TIME;
}

uint64_t ccprof_times_bucket(const struct ccprof_times_axis *axis, uint64_t address)
{
    uint64_t level = (address & ~CCPROF_TAGS_KIND) >> TIMES_LEVEL_SHIFT;

    ccprof_assert(level <= axis->level);
    return (address & UINT32_MAX) >> (axis->level - level);
}
