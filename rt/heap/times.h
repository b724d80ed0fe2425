/* SPDX-License-Identifier: MIT */
/* Keeps the heap over time, and writes it to mlmon.out: in buckets of time how much was
   in use at most and at last and how much memory the process had, and for each stack when
   its blocks were made and freed.  changes.c and heap.c count with the lock of the heap
   held; write.c copies and writes, one thread at a time.

   For each stack there are cells: one for each bucket, with the blocks made in it, and
   one for each pair of buckets, with the blocks made in the first and freed in the
   second.  Only cells that are not 0 exist.  Most blocks touch no cell: a point
   (stacks.h) itself keeps what the stack has made in the bucket in which it was last
   active, and what was freed there again.

   There are at most CCPROF_HEAP_TIMES_MOST buckets.  When the run goes on behind the last
   one, or when there is no room for more cells, each two buckets become one and the width
   doubles.  */

#ifndef CCPROF_HEAP_TIMES_H
#define CCPROF_HEAP_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/format.h"
#include "rt/heap/stacks.h"
#include "rt/os/memory.h"
#include "rt/os/text.h"

#define CCPROF_HEAP_TIMES_MOST CCPROF_SPANS

/* In place of the bucket in which blocks were freed: the cell of all blocks that were
 * made.  */
#define CCPROF_HEAP_CELLS_MADE UINT8_MAX

/* The most places of the table, of 24 bytes each.  */
#define CCPROF_HEAP_CELLS_MOST (1u << 20)

struct ccprof_heap_cell {
    uint32_t stack; /* 0: this place is free */
    uint8_t born, freed;
    struct ccprof_heap_amount of;
};

/* All zeros is an empty table.  */
struct ccprof_heap_cells {
    struct ccprof_heap_cell *cell; /* by hash, with open addressing */
    uint32_t places;               /* a power of 2, or 0 */
    uint32_t count;
    uint64_t memory; /* bytes that are mapped */
};

/* Adds to a cell.  Returns false, with nothing added, if there is no room.  For times.c
   and tests.  */
bool ccprof_heap_cells_add(struct ccprof_heap_cells *cells, uint32_t stack, uint8_t born,
                           uint8_t freed, const struct ccprof_heap_amount *amount);

/* The first width is 1 << this, in milliseconds.  The kernel's coarse clock advances by 4
   or 10.  */
#define CCPROF_HEAP_TIMES_SHIFT 2

/* Bytes; estimates if blocks are sampled.  */
struct ccprof_heap_bucket {
    uint64_t most;     /* in use at the same time */
    uint64_t live;     /* in use at the end of the bucket */
    uint64_t resident; /* memory that the process had when the bucket began; 0: unknown */
};

struct ccprof_heap_times {
    uint32_t start; /* when the first bucket begins, in milliseconds */
    uint32_t shift; /* the width is 1 << SHIFT milliseconds */
    uint32_t count; /* buckets that have begun; 0: times are not kept */
    bool crowded;   /* there was no room for cells: no cells are kept any more */
    uint64_t most;  /* in use at most in the last bucket so far */
    struct ccprof_heap_bucket bucket[CCPROF_HEAP_TIMES_MOST]; /* MOST and LIVE of the last
                                                                 one are not set yet */
    struct ccprof_heap_cells cells;
};

/* Begins the first bucket at START, in milliseconds, and forgets everything before.  */
void ccprof_heap_times_start(struct ccprof_heap_times *times,
                             struct ccprof_heap_stacks *stacks, uint32_t start);

/* Begins all buckets up to that of TIME, and ends those before it.  */
void ccprof_heap_times_advance(struct ccprof_heap_times *times,
                               struct ccprof_heap_stacks *stacks, uint32_t time);

/* For made and freed below.  Moves what the point has of its last bucket into cells, and
   makes BUCKET its last one.  */
void ccprof_heap_times_turn(struct ccprof_heap_times *times,
                            struct ccprof_heap_stacks *stacks, uint32_t stack,
                            uint32_t bucket);

/* For freed below.  Counts a block of an earlier bucket in its cell.  */
void ccprof_heap_times_free_older(struct ccprof_heap_times *times,
                                  struct ccprof_heap_stacks *stacks, uint32_t stack,
                                  uint32_t born, uint32_t freed, uint64_t bytes);

/* Returns the bucket of TIME; a large number if TIME is before the start.  */
static inline uint32_t ccprof_heap_times_bucket(const struct ccprof_heap_times *times,
                                                uint32_t time)
{
    return (time - times->start) >> times->shift;
}

/* The same for a time that may be behind the last bucket.  To be called before the change
   of this time is counted.  */
static inline uint32_t ccprof_heap_times_now(struct ccprof_heap_times *times,
                                             struct ccprof_heap_stacks *stacks,
                                             uint32_t time)
{
    if (__builtin_expect(ccprof_heap_times_bucket(times, time) >= times->count, false))
        ccprof_heap_times_advance(times, stacks, time);
    return ccprof_heap_times_bucket(times, time);
}

/* Counts a block of the stack that was made in the bucket.  ccprof_heap_stacks_allocate
   must come first.  */
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

/* A copy of the cells, which is made while the heap is held and written afterwards.  */

/* A copied cell.  NEXT is the number of another one of the same stack, or 0.  */
struct ccprof_heap_copied_cell {
    struct ccprof_heap_cell cell;
    uint32_t next;
};

/* What a stack has made in a bucket, and what of this was freed, by bucket.  */
struct ccprof_heap_born {
    struct ccprof_heap_amount made, freed[CCPROF_HEAP_TIMES_MOST];
};

struct ccprof_heap_times_copy {
    struct ccprof_pages pages;
    struct ccprof_heap_born *bucket;      /* of one stack; all zeros between two stacks */
    uint32_t *first;                      /* by stack, numbers of cells */
    struct ccprof_heap_copied_cell *cell; /* by number, from 1 */
    uint32_t count;                       /* of cells */
    uint32_t cells;                       /* room for so many */
};

/* Maps room for so many STACKS, and for the cells of TIMES and some more.  Returns false
   if there is no memory.  */
bool ccprof_heap_times_copy_make(struct ccprof_heap_times_copy *copy, uint32_t stacks,
                                 const struct ccprof_heap_times *times);
void ccprof_heap_times_copy_free(struct ccprof_heap_times_copy *copy);

/* Returns whether there is room for the cells of TIMES.  */
bool ccprof_heap_times_copy_fits(const struct ccprof_heap_times_copy *copy,
                                 const struct ccprof_heap_times *times);

/* Copies the cells, and the last buckets of the points, and ends the last bucket of
   TIMES. TIMES and STACKS are themselves copies.  There must be room.  */
void ccprof_heap_times_copy_fill(struct ccprof_heap_times_copy *copy,
                                 struct ccprof_heap_times *times,
                                 const struct ccprof_heap_stacks *stacks);

/* Writes the lines of the buckets.  */
void ccprof_heap_times_write_buckets(struct ccprof_text *text,
                                     const struct ccprof_heap_times *times);

/* Writes when blocks of the stack were made and freed.  */
void ccprof_heap_times_write_stack(struct ccprof_text *text,
                                   struct ccprof_heap_times_copy *copy, uint32_t stack);

#endif
