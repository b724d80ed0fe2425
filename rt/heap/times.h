/* SPDX-License-Identifier: MIT */
/* The heap over time, and its lines in mlmon.out. For each bucket of time it has the
   maximum and the final number of bytes in use, and the memory of the process. For
   each stack it has the times at which the stack's blocks were allocated and freed.
   changes.c, heap.c and held.c count, with the lock of the heap or the whole heap
   held. write.c copies and writes, one thread at a time.

   Each stack has cells: one for each bucket, with the blocks allocated in it, and one
   for each pair of buckets, with the blocks allocated in the first and freed in the
   second bucket. Only cells that are not 0 exist. Most blocks need no cell: the
   point (stacks.h) itself has the blocks that the stack allocated in its latest
   bucket, and how many of them were freed in this bucket.

   There are at most CCPROF_HEAP_TIMES_MOST buckets. If the run lasts longer, or if
   there is no room for more cells, each two buckets are merged into one and the width
   doubles. */

#ifndef CCPROF_HEAP_TIMES_H
#define CCPROF_HEAP_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/format.h"
#include "rt/heap/stacks.h"
#include "rt/os/memory.h"
#include "rt/os/text.h"

#define CCPROF_HEAP_TIMES_MOST CCPROF_SPANS

/* Stored in place of the bucket of the free: the cell has all blocks that were
   allocated in the bucket. */
#define CCPROF_HEAP_CELLS_MADE UINT8_MAX

/* Maximum number of entries of the table of cells, of 24 bytes each. */
#define CCPROF_HEAP_CELLS_MOST (1u << 20)

struct ccprof_heap_cell {
    uint32_t stack; /* 0: this entry is free */
    uint8_t born, freed;
    struct ccprof_heap_amount amount;
};

/* A structure of zeros is an empty table. */
struct ccprof_heap_cells {
    struct ccprof_heap_cell *cell; /* hash table with open addressing */
    uint32_t places;               /* number of entries: a power of 2, or 0 */
    uint32_t count;
    uint64_t memory; /* mapped bytes */
};

/* Adds AMOUNT to a cell. Returns false, and adds nothing, if there is no room. For
   times.c and tests. */
bool ccprof_heap_cells_add(struct ccprof_heap_cells *cells, uint32_t stack, uint8_t born,
                           uint8_t freed, const struct ccprof_heap_amount *amount);

/* The initial width of a bucket is 1 << CCPROF_HEAP_TIMES_SHIFT milliseconds. The
   kernel's coarse clock advances by 4 or 10 milliseconds. */
#define CCPROF_HEAP_TIMES_SHIFT 2

/* The numbers of a time bucket, in bytes. MOST and LIVE are estimates if blocks are
   sampled. */
struct ccprof_heap_bucket {
    uint64_t most;     /* maximum number of bytes in use at the same time */
    uint64_t live;     /* in use at the end of the bucket */
    uint64_t resident; /* memory of the process at the start of the bucket; 0: unknown */
};

struct ccprof_heap_times {
    uint32_t start; /* start of the first bucket, in milliseconds */
    uint32_t shift; /* the width is 1 << SHIFT milliseconds */
    uint32_t count; /* number of buckets so far; 0: times are not recorded */
    bool crowded;   /* there was no room for a cell, so no cells are kept any more */
    uint64_t most;  /* maximum in use in the last bucket so far */
    struct ccprof_heap_bucket bucket[CCPROF_HEAP_TIMES_MOST]; /* in the last one, MOST and
                                                                 LIVE are not set yet */
    struct ccprof_heap_cells cells;
};

/* Begins the first bucket at START, in milliseconds, and removes everything before. */
void ccprof_heap_times_start(struct ccprof_heap_times *times,
                             struct ccprof_heap_stacks *stacks, uint32_t start);

/* Ends the current bucket and begins all buckets up to the bucket of TIME. */
void ccprof_heap_times_advance(struct ccprof_heap_times *times,
                               struct ccprof_heap_stacks *stacks, uint32_t time);

/* Used by made and freed below. Moves the point's counts for its latest bucket into
   cells, and makes BUCKET its latest bucket. */
void ccprof_heap_times_change_bucket(struct ccprof_heap_times *times,
                                     struct ccprof_heap_stacks *stacks, uint32_t stack,
                                     uint32_t bucket);

/* Used by freed below. Counts a block of an earlier bucket in its cell. */
void ccprof_heap_times_free_older(struct ccprof_heap_times *times,
                                  struct ccprof_heap_stacks *stacks, uint32_t stack,
                                  uint32_t born, uint32_t freed, uint64_t bytes);

/* Returns the bucket of TIME, or a large number if TIME is before the start. */
static inline uint32_t ccprof_heap_times_bucket(const struct ccprof_heap_times *times,
                                                uint32_t time)
{
    return (time - times->start) >> times->shift;
}

/* Returns the bucket of TIME, and begins this bucket if necessary. Must be called
   before the change at TIME is counted. */
static inline uint32_t ccprof_heap_times_now(struct ccprof_heap_times *times,
                                             struct ccprof_heap_stacks *stacks,
                                             uint32_t time)
{
    if (__builtin_expect(ccprof_heap_times_bucket(times, time) >= times->count, false))
        ccprof_heap_times_advance(times, stacks, time);
    return ccprof_heap_times_bucket(times, time);
}

/* Counts a block that the stack has allocated in the bucket.
   ccprof_heap_stacks_allocate must be called first. */
static inline void ccprof_heap_times_made(struct ccprof_heap_times *times,
                                          struct ccprof_heap_stacks *stacks,
                                          uint32_t stack, uint64_t bytes, uint32_t bucket)
{
    struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, stack);

    if ((int64_t)stacks->live_weight > (int64_t)times->most)
        times->most = stacks->live_weight;
    if (bucket >= times->count)
        return;
    if (__builtin_expect(point->bucket != bucket, false))
        ccprof_heap_times_change_bucket(times, stacks, stack, bucket);
    ccprof_heap_stacks_add(&point->made, bytes);
}

/* Counts a block of the stack that was allocated in the bucket BORN and freed in the
   bucket FREED. */
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

/* A copy of the cells. The copy is made while the heap is held, and written
   afterwards. */

/* A copied cell. NEXT is the number of another cell of the same stack, or 0. */
struct ccprof_heap_copied_cell {
    struct ccprof_heap_cell cell;
    uint32_t next;
};

/* The blocks that a stack has allocated in one bucket, and how many of them were freed
   in each bucket. */
struct ccprof_heap_born {
    struct ccprof_heap_amount made, freed[CCPROF_HEAP_TIMES_MOST];
};

struct ccprof_heap_times_copy {
    struct ccprof_pages pages;
    struct ccprof_heap_born *bucket; /* buckets of one stack; zeros between two stacks */
    uint32_t *first;                 /* number of the first cell, indexed by stack */
    struct ccprof_heap_copied_cell *cell; /* indexed by number, from 1 on */
    uint32_t count;                       /* number of cells */
    uint32_t cells;                       /* capacity */
};

/* Maps memory for STACKS stacks, and for the cells of TIMES and some more. Returns
   false if there is no memory. */
bool ccprof_heap_times_copy_make(struct ccprof_heap_times_copy *copy, uint32_t stacks,
                                 const struct ccprof_heap_times *times);
void ccprof_heap_times_copy_free(struct ccprof_heap_times_copy *copy);

/* Returns whether there is room for the cells of TIMES. */
bool ccprof_heap_times_copy_fits(const struct ccprof_heap_times_copy *copy,
                                 const struct ccprof_heap_times *times);

/* Copies the cells and the points' latest buckets, and ends the last bucket of TIMES.
   TIMES and STACKS are themselves copies. The cells must fit. */
void ccprof_heap_times_copy_fill(struct ccprof_heap_times_copy *copy,
                                 struct ccprof_heap_times *times,
                                 const struct ccprof_heap_stacks *stacks);

/* Writes the lines of the buckets. */
void ccprof_heap_times_write_buckets(struct ccprof_text *text,
                                     const struct ccprof_heap_times *times);

/* Writes the times at which blocks of the stack were allocated and freed. */
void ccprof_heap_times_write_stack(struct ccprof_text *text,
                                   struct ccprof_heap_times_copy *copy, uint32_t stack);

#endif
