/* SPDX-License-Identifier: MIT */
/* Keeps the heap over time, in buckets: how much was alive at most and at last, how much
   memory the process had, and by stack when blocks were made and freed (heap-cells.h).
   There are at most CCPROF_HEAP_TIMES_MOST buckets: when the run goes on behind the last
   one, or when there is no room for more cells, two buckets become one and the width
   doubles.  Only heap-changes.c, heap.c and heap-write.c use this, one thread at a time.

   What a stack has made in the bucket that it was last active in, and what of that was
   freed there, is in its point: of most blocks no cell is looked for.  */

#ifndef CCPROF_HEAP_TIMES_H
#define CCPROF_HEAP_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/format.h"
#include "rt/heap/heap-cells.h"
#include "rt/heap/heap-stacks.h"

#define CCPROF_HEAP_TIMES_MOST CCPROF_SPANS

/* The first width is 1 << this, in milliseconds; the kernel's coarse clock goes on by 4
   or 10.  */
#define CCPROF_HEAP_TIMES_SHIFT 2

/* Bytes, of blocks that are sampled estimates.  */
struct ccprof_heap_bucket {
    uint64_t most;     /* alive at the same time */
    uint64_t alive;    /* at the end of the bucket */
    uint64_t resident; /* memory that the process had when the bucket began; 0: unknown */
};

struct ccprof_heap_times {
    uint32_t start; /* when the first bucket begins, in milliseconds */
    uint32_t shift; /* the width is 1 << SHIFT milliseconds */
    uint32_t count; /* buckets that have begun; 0: times are not kept */
    bool crowded;   /* there was no room for cells, and there are none any more */
    uint64_t most;  /* of the last bucket so far */
    struct ccprof_heap_bucket bucket[CCPROF_HEAP_TIMES_MOST]; /* the last has no MOST and
                                                                 ALIVE yet */
    struct ccprof_heap_cells cells;
};

/* Begins the first bucket at START, in milliseconds, and forgets all before: in the child
   of a fork, too.  */
void ccprof_heap_times_start(struct ccprof_heap_times *times,
                             struct ccprof_heap_stacks *stacks, uint32_t start);

/* Begins all buckets up to the one of TIME, and ends those before it.  */
void ccprof_heap_times_advance(struct ccprof_heap_times *times,
                               struct ccprof_heap_stacks *stacks, uint32_t time);

/* Count blocks where the point alone does not do.  */
void ccprof_heap_times_turn(struct ccprof_heap_times *times,
                            struct ccprof_heap_stacks *stacks, uint32_t stack,
                            uint32_t bucket);
void ccprof_heap_times_free_older(struct ccprof_heap_times *times,
                                  struct ccprof_heap_stacks *stacks, uint32_t stack,
                                  uint32_t born, uint32_t freed, uint64_t bytes);

/* Ends the last bucket of a copy: what is alive is what its stacks have.  */
void ccprof_heap_times_end(struct ccprof_heap_times *times,
                           const struct ccprof_heap_stacks *stacks);

/* The bucket of a time.  One from before the start has a large number.  */
static inline uint32_t ccprof_heap_times_bucket(const struct ccprof_heap_times *times,
                                                uint32_t time)
{
    return (time - times->start) >> times->shift;
}

/* The same of a time that may be behind the last bucket.  To be called before the change
   that is of this time is counted.  */
static inline uint32_t ccprof_heap_times_now(struct ccprof_heap_times *times,
                                             struct ccprof_heap_stacks *stacks,
                                             uint32_t time)
{
    if (__builtin_expect(ccprof_heap_times_bucket(times, time) >= times->count, false))
        ccprof_heap_times_advance(times, stacks, time);
    return ccprof_heap_times_bucket(times, time);
}

/* Counts a block of the stack that was made in the bucket, once the stacks have counted
   it.  */
static inline void ccprof_heap_times_made(struct ccprof_heap_times *times,
                                          struct ccprof_heap_stacks *stacks,
                                          uint32_t stack, uint64_t bytes, uint32_t bucket)
{
    struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, stack);

    if ((int64_t)stacks->alive_weight > (int64_t)times->most)
        times->most = stacks->alive_weight;
    if (bucket >= times->count)
        return;
    if (__builtin_expect(point->bucket != bucket, false))
        ccprof_heap_times_turn(times, stacks, stack, bucket);
    ccprof_heap_stacks_add(&point->made, bytes);
}

/* Counts a block of the stack that was made in one bucket and freed in another.  */
static inline void ccprof_heap_times_freed(struct ccprof_heap_times *times,
                                           struct ccprof_heap_stacks *stacks,
                                           uint32_t stack, uint64_t bytes, uint32_t born,
                                           uint32_t freed)
{
    struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, stack);

    if (born == freed && point->bucket == born)
        ccprof_heap_stacks_add(&point->gone, bytes);
    else
        ccprof_heap_times_free_older(times, stacks, stack, born, freed, bytes);
}

#endif
