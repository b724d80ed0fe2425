/* SPDX-License-Identifier: MIT */
/* Implements the buckets of time.  Owns nothing but the cells' pages.  Called with the
   lock of the heap held, in any thread that allocates or frees.  */

#include <stddef.h>

#include "rt/heap/heap-times.h"
#include "rt/os/proc.h"

/* Returns what is alive; it may be less than nothing where threads have not yet counted
   all that they have allocated.  */
static uint64_t times_alive(const struct ccprof_heap_stacks *stacks)
{
    return (int64_t)stacks->alive_weight > 0 ? stacks->alive_weight : 0;
}

static uint64_t times_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void ccprof_heap_times_start(struct ccprof_heap_times *times,
                             struct ccprof_heap_stacks *stacks, uint32_t start)
{
    ccprof_heap_cells_clear(&times->cells);
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < stacks->count; i++) {
        struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, i);
        if (point->made.blocks | point->gone.blocks)
            point->made = point->gone = (struct ccprof_heap_amount){0, 0};
        if (point->bucket)
            point->bucket = 0;
    }
    *times = (struct ccprof_heap_times){.start = start,
                                        .shift = CCPROF_HEAP_TIMES_SHIFT,
                                        .count = 1,
                                        .most = times_alive(stacks)};
    times->bucket[0].resident = ccprof_resident();
}

/* Forgets when blocks were made and freed, for good.  */
static void times_give_up(struct ccprof_heap_times *times)
{
    times->crowded = true;
    ccprof_heap_cells_clear(&times->cells);
}

/* Makes one bucket of each two.  */
static void times_halve(struct ccprof_heap_times *times,
                        struct ccprof_heap_stacks *stacks)
{
    struct ccprof_heap_bucket *bucket = times->bucket;

    if (!ccprof_heap_cells_halve(&times->cells))
        times_give_up(times);
    for (uint32_t i = CCPROF_HEAP_STACKS_ROOT + 1; i < stacks->count; i++) {
        struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, i);
        if (point->bucket)
            point->bucket /= 2;
    }
    for (uint32_t i = 0; i < times->count; i++) {
        struct ccprof_heap_bucket *to = &bucket[i / 2];
        if (i % 2 == 0) {
            *to = bucket[i];
            continue;
        }
        to->most = times_larger(to->most, bucket[i].most);
        to->alive = bucket[i].alive;
        to->resident = times_larger(to->resident, bucket[i].resident);
    }
    /* The last bucket goes on, with the one before it if that is the other half.  */
    if (times->count % 2 == 0)
        times->most = times_larger(times->most, bucket[times->count / 2 - 1].most);
    times->count = (times->count + 1) / 2;
    times->shift++;
}

void ccprof_heap_times_end(struct ccprof_heap_times *times,
                           const struct ccprof_heap_stacks *stacks)
{
    struct ccprof_heap_bucket *last = &times->bucket[times->count - 1];

    last->most = times->most;
    last->alive = times_alive(stacks);
}

void ccprof_heap_times_advance(struct ccprof_heap_times *times,
                               struct ccprof_heap_stacks *stacks, uint32_t time)
{
    if (times->count == 0 || (int32_t)(time - times->start) < 0)
        return;
    while (ccprof_heap_times_bucket(times, time) >= CCPROF_HEAP_TIMES_MOST)
        times_halve(times, stacks);
    uint32_t bucket = ccprof_heap_times_bucket(times, time);
    if (bucket < times->count)
        return;
    ccprof_heap_times_end(times, stacks);
    const uint64_t alive = times->bucket[times->count - 1].alive;
    while (times->count <= bucket)
        times->bucket[times->count++] =
            (struct ccprof_heap_bucket){.most = alive, .alive = alive};
    times->most = alive;
    times->bucket[bucket].resident = ccprof_resident();
}

/* Adds to a cell, with buckets as wide as it needs.  */
static void times_add(struct ccprof_heap_times *times, struct ccprof_heap_stacks *stacks,
                      uint32_t stack, uint8_t born, uint8_t freed,
                      const struct ccprof_heap_amount *amount)
{
    while (!times->crowded &&
           !ccprof_heap_cells_add(&times->cells, stack, born, freed, amount)) {
        if (times->count == 1) {
            times_give_up(times);
            return;
        }
        times_halve(times, stacks);
        born /= 2;
        if (freed != CCPROF_HEAP_CELLS_MADE)
            freed /= 2;
    }
}

void ccprof_heap_times_turn(struct ccprof_heap_times *times,
                            struct ccprof_heap_stacks *stacks, uint32_t stack,
                            uint32_t bucket)
{
    struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, stack);
    const struct ccprof_heap_amount none = {0, 0}, made = point->made, gone = point->gone;
    const uint32_t shift = times->shift;
    uint8_t last = (uint8_t)point->bucket;

    point->made = point->gone = none;
    point->bucket = bucket;
    if (made.blocks)
        times_add(times, stacks, stack, last, CCPROF_HEAP_CELLS_MADE, &made);
    last >>= times->shift - shift;
    if (gone.blocks)
        times_add(times, stacks, stack, last, last, &gone);
}

void ccprof_heap_times_free_older(struct ccprof_heap_times *times,
                                  struct ccprof_heap_stacks *stacks, uint32_t stack,
                                  uint32_t born, uint32_t freed, uint64_t bytes)
{
    const struct ccprof_heap_amount amount = {1, bytes};

    if (born <= freed && freed < times->count)
        times_add(times, stacks, stack, (uint8_t)born, (uint8_t)freed, &amount);
}
