/* SPDX-License-Identifier: MIT */
/* Keeps what each stack has allocated, what of that was freed, what is alive, and what
   was alive when most was.  The stacks are a tree of program points: a stack is the
   number of its innermost point.  Only heap.c and heap-write.c use this, one thread at a
   time.

   Where blocks are sampled, a stack has points below it for the sizes of its blocks
   (heap-sizes.h), and what is kept are the samples; only which moment is the peak goes by
   estimates.

   What was alive at the peak is kept by numbers: the tree counts the peaks, and a point
   remembers before its first change after a peak what it had alive then.  So a new peak
   costs nothing, though every point has an amount of it.  */

#ifndef CCPROF_HEAP_STACKS_H
#define CCPROF_HEAP_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/format.h"

/* The outermost points have this caller.  */
#define CCPROF_HEAP_STACKS_ROOT 0

/* The number of a stack for which there was no room; it stands for all of these.  */
#define CCPROF_HEAP_STACKS_CUT 1

/* Where blocks are sampled the blocks of a stack are in points of its own, one for each
   size: this bit of the address is set, and the others are the size.  */
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
    uint32_t bucket;  /* of MADE and GONE (heap-times.h) */
    uint64_t peak;    /* number of the peak that AT_PEAK is of, if that is the last one */
    struct ccprof_heap_amount allocated, freed, alive, at_peak;
    struct ccprof_heap_life *life;        /* null: there is nothing of that, or no room */
    struct ccprof_heap_amount made, gone; /* what was made in BUCKET, and freed there */
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
    struct ccprof_heap_amount allocated, freed, alive, most; /* of all points */
    /* Estimates of the bytes that are alive, and were when most were; each block adds its
       WEIGHT below.  */
    uint64_t alive_weight, most_weight;
    uint64_t peaks;  /* how many peaks there were; 0: nothing was alive yet */
    uint64_t memory; /* bytes that are mapped */
    struct ccprof_heap_life *lives; /* the mapped ones of which some are free */
    uint32_t lives_left;
    uint32_t sizes;  /* how many points are those of sizes */
    uint64_t random; /* state of the generator of heap-sizes.c */
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

/* Returns the number of the point at ADDRESS below CALLER, which is added if it is
   missing; 0 if there is no room.  */
uint32_t ccprof_heap_stacks_put(struct ccprof_heap_stacks *stacks, uint32_t caller,
                                uint64_t address);

/* Blocks may be counted as freed before they are counted as allocated: what is alive may
   be less than nothing until then.  */

/* Counts a block that the stack has allocated.  Returns whether more is alive now than
   ever before.  Only the first function counts it among those that were allocated; KEPT
   tells that it is alive until the other one is called.  WEIGHT is BYTES where each block
   is counted.  */
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

/* Returns new room for what becomes of blocks of the point, or null.  */
struct ccprof_heap_life *ccprof_heap_stacks_make_life(struct ccprof_heap_stacks *stacks,
                                                      struct ccprof_heap_point *point);

/* Returns where to count what becomes of blocks of the stack, or null without room.  */
static inline struct ccprof_heap_life *
ccprof_heap_stacks_life(struct ccprof_heap_stacks *stacks, uint32_t stack)
{
    struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, stack);

    return __builtin_expect(point->life != NULL, true)
               ? point->life
               : ccprof_heap_stacks_make_life(stacks, point);
}

/* Returns what the point had alive at the last peak.  */
struct ccprof_heap_amount
ccprof_heap_stacks_at_peak(const struct ccprof_heap_stacks *stacks,
                           const struct ccprof_heap_point *point);

/* Forgets what was allocated and freed, for the child of a fork; what is alive stays, and
   is the first peak.  */
void ccprof_heap_stacks_restart(struct ccprof_heap_stacks *stacks);

#endif
