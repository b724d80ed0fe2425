/* SPDX-License-Identifier: MIT */
/* Keeps for each stack what it has allocated, what was freed of this, what is in use, and
   what was in use at the peak.  The stacks are a tree of program points; the number of
   its innermost point stands for a stack.  heap.c, changes.c, times.c and walk.c change
   the tree with the lock of the heap held; write.c copies it.

   If blocks are sampled, a stack has points below it for the sizes of its blocks, since
   estimates need the size of each sampled block.  Then the samples are counted; only the
   moment of the peak is found by estimates.  A program that makes blocks of a million
   sizes must not have a million points.  So if there are many points of sizes, a size
   that has no point yet is rounded, at random and such that the mean of the rounded sizes
   is the size.

   A new peak must cost nothing, though every point has an amount in use at the peak.  So
   the tree numbers the peaks, and before its first change after a peak a point remembers
   what it had in use then.  */

#ifndef CCPROF_HEAP_STACKS_H
#define CCPROF_HEAP_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/format.h"

/* The outermost points have this caller.  */
#define CCPROF_HEAP_STACKS_ROOT 0

/* The number that stands for all stacks for which there was no room.  */
#define CCPROF_HEAP_STACKS_CUT 1

/* The address of a point for a size has this bit set; the other bits are the size.  */
#define CCPROF_HEAP_STACKS_SIZE (UINT64_C(1) << 63)

struct ccprof_heap_amount {
    uint64_t blocks, bytes;
};

/* What became of blocks of a point.  */
struct ccprof_heap_life {
    struct ccprof_heap_amount temporary; /* freed before their thread did anything else */
    struct ccprof_heap_amount foreign;   /* freed by another thread */
    struct ccprof_heap_amount again;     /* allocated by realloc in place of others */
    struct ccprof_heap_amount lived[CCPROF_LIVES]; /* freed, by class */
};

struct ccprof_heap_point {
    uint64_t address; /* as in struct ccprof_stack */
    uint32_t caller;  /* number of the calling point, which is less than its own */
    uint32_t bucket;  /* of MADE and GONE (times.h) */
    uint64_t peak;    /* number of the peak to which AT_PEAK belongs */
    struct ccprof_heap_amount allocated, freed, live, at_peak;
    struct ccprof_heap_life *life;        /* null: nothing to count yet, or no room */
    struct ccprof_heap_amount made, gone; /* made in BUCKET, and freed in it again */
};

/* The number of the point at ADDRESS below CALLER.  A number of 0 is a free place.  */
struct ccprof_heap_below {
    uint64_t address;
    uint32_t caller, number;
};

/* How many lives are mapped at once.  */
#define CCPROF_HEAP_STACKS_LIVES 1024

/* Points are mapped in chunks, so that they never move.  */
#define CCPROF_HEAP_STACKS_CHUNK  4096
#define CCPROF_HEAP_STACKS_CHUNKS 1024

struct ccprof_heap_stacks {
    struct ccprof_heap_point *chunk[CCPROF_HEAP_STACKS_CHUNKS];
    uint32_t count;                  /* numbers that are in use, ROOT included */
    struct ccprof_heap_below *below; /* all points, by hash, with open addressing */
    uint32_t belows;                 /* a power of 2 */
    struct ccprof_heap_amount allocated, freed, live, most; /* of all points */
    /* Estimates of the bytes in use, now and at the peak; each block adds its WEIGHT (see
       allocate below).  */
    uint64_t live_weight, most_weight;
    uint64_t peaks;  /* how many peaks there were; 0: nothing was in use yet */
    uint64_t memory; /* bytes that are mapped */
    struct ccprof_heap_life *lives; /* mapped room, of which LIVES_LEFT are free */
    uint32_t lives_left;
    uint32_t sizes;  /* how many points are those of sizes */
    uint64_t random; /* state of the generator for rounding */
};

/* Makes the tree, which must be all zeros.  Returns false if there is no memory.  */
bool ccprof_heap_stacks_start(struct ccprof_heap_stacks *stacks);

static inline struct ccprof_heap_point *
ccprof_heap_stacks_point(const struct ccprof_heap_stacks *stacks, uint32_t number)
{
    return &stacks->chunk[number / CCPROF_HEAP_STACKS_CHUNK]
                         [number % CCPROF_HEAP_STACKS_CHUNK];
}

/* Returns the number of the point at ADDRESS below CALLER, or 0.  */
uint32_t ccprof_heap_stacks_find(const struct ccprof_heap_stacks *stacks, uint32_t caller,
                                 uint64_t address);

/* Returns the number of the point at ADDRESS below CALLER.  Adds the point if it is
   missing; returns 0 if there is no room.  */
uint32_t ccprof_heap_stacks_put(struct ccprof_heap_stacks *stacks, uint32_t caller,
                                uint64_t address);

/* Count a block of the stack as allocated and as freed.  KEPT: the block is in use until
   it is counted as freed.  WEIGHT is what the block adds to the estimate of the bytes in
   use: BYTES if each block is counted.  Threads may count a block as freed before it is
   counted as allocated: until then, the amount in use may be negative.  Allocate returns
   true if more is in use than ever before.  */
bool ccprof_heap_stacks_allocate(struct ccprof_heap_stacks *stacks, uint32_t stack,
                                 uint64_t bytes, uint64_t weight, bool kept);
void ccprof_heap_stacks_free(struct ccprof_heap_stacks *stacks, uint32_t stack,
                             uint64_t bytes, uint64_t weight);

static inline void ccprof_heap_stacks_add(struct ccprof_heap_amount *amount,
                                          uint64_t bytes)
{
    amount->blocks++;
    amount->bytes += bytes;
}

/* Makes room for what becomes of the point's blocks.  Returns null if there is no memory.
 */
struct ccprof_heap_life *ccprof_heap_stacks_make_life(struct ccprof_heap_stacks *stacks,
                                                      struct ccprof_heap_point *point);

/* Returns where to count what becomes of the stack's blocks, or null if there is no room.
 */
static inline struct ccprof_heap_life *
ccprof_heap_stacks_life(struct ccprof_heap_stacks *stacks, uint32_t stack)
{
    struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, stack);

    return __builtin_expect(point->life != NULL, true)
               ? point->life
               : ccprof_heap_stacks_make_life(stacks, point);
}

/* Returns what the point had in use at the last peak.  */
struct ccprof_heap_amount
ccprof_heap_stacks_at_peak(const struct ccprof_heap_stacks *stacks,
                           const struct ccprof_heap_point *point);

/* Forgets what was allocated and freed, for a new slice or for the child of a fork.  What
   is in use stays, and is the first peak.  */
void ccprof_heap_stacks_restart(struct ccprof_heap_stacks *stacks);

/* Sizes are rounded once there are so many points of sizes.  */
#define CCPROF_HEAP_SIZES_EXACT 16384u

/* Returns the number of the point below the stack CALLER for a sampled block of SIZE
   bytes. Adds the point if it is missing; returns 0 if there is no room.  */
uint32_t ccprof_heap_sizes_put(struct ccprof_heap_stacks *stacks, uint32_t caller,
                               uint64_t size);

/* Returns the size, rounded or not, of the blocks of the point.  */
static inline uint64_t ccprof_heap_sizes_of(const struct ccprof_heap_stacks *stacks,
                                            uint32_t point)
{
    return ccprof_heap_stacks_point(stacks, point)->address & ~CCPROF_HEAP_STACKS_SIZE;
}

#endif
