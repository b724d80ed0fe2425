/* SPDX-License-Identifier: MIT */
/* The tree of stacks: counts for each stack the blocks allocated, freed, in use, and
   in use at the peak. The nodes of the tree are program points. The number of a
   stack is the number of its innermost point. heap.c, changes.c, times.c and walk.c
   change the tree with the lock of the heap held. held.c and write.c copy and reset
   it while the heap is held.

   If blocks are sampled, each stack has points below it for the sizes of its blocks,
   since an estimate needs the size of each sampled block. The counts are then numbers
   of samples. Only the moment of the peak is found by estimates. The number of
   points for sizes must be limited, since a program may allocate blocks of a million
   sizes. If there are many such points, a size without a point is rounded, at random,
   and so that the mean of the rounded sizes is the original size.

   The start of a new peak must take constant time, although every point has an amount
   in use at the peak. Therefore the tree numbers the peaks, and a point stores its
   amount at the peak only before its first change after the peak. */

#ifndef CCPROF_HEAP_STACKS_H
#define CCPROF_HEAP_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/format.h"

/* The caller of the outermost points. */
#define CCPROF_HEAP_STACKS_ROOT 0

/* The number used for all stacks that did not fit in the tree. */
#define CCPROF_HEAP_STACKS_CUT 1

/* The address of a point for a size has this bit set. The other bits are the size. */
#define CCPROF_HEAP_STACKS_SIZE (UINT64_C(1) << 63)

struct ccprof_heap_amount {
    uint64_t blocks, bytes;
};

/* Details about the blocks of a point. */
struct ccprof_heap_life {
    struct ccprof_heap_amount temporary; /* freed at once (CCPROF_HEAP_FREED_AT_ONCE) */
    struct ccprof_heap_amount lived[CCPROF_LIVES]; /* freed, by class of lifetime */
};

struct ccprof_heap_point {
    uint64_t address; /* as in struct ccprof_stack */
    uint32_t caller;  /* number of the calling point, less than its own */
    uint32_t bucket;  /* time bucket of MADE and GONE (times.h) */
    uint64_t peak;    /* number of the peak for which AT_PEAK is valid */
    struct ccprof_heap_amount allocated, freed, live, at_peak;
    struct ccprof_heap_life *life;        /* null: nothing counted yet, or no room */
    struct ccprof_heap_amount made, gone; /* allocated in BUCKET, and freed in it, too */
};

/* An entry of the hash table: the number of the point at ADDRESS that CALLER has
   called. The number is 0 in a free entry. */
struct ccprof_heap_entry {
    uint64_t address;
    uint32_t caller, number;
};

/* Number of struct ccprof_heap_life that are mapped together. */
#define CCPROF_HEAP_STACKS_LIVES 1024

/* Points are mapped in chunks, so that they never move. */
#define CCPROF_HEAP_STACKS_CHUNK  4096
#define CCPROF_HEAP_STACKS_CHUNKS 1024

struct ccprof_heap_stacks {
    struct ccprof_heap_point *chunk[CCPROF_HEAP_STACKS_CHUNKS];
    uint32_t count;                  /* numbers in use, including ROOT */
    struct ccprof_heap_entry *table; /* hash table of all points, with open addressing */
    uint32_t table_size;             /* entries of TABLE, a power of 2 */
    struct ccprof_heap_amount allocated, freed, live, at_peak; /* sums of all points */
    /* Estimates of the bytes in use, now and at the peak: sums of the blocks' WEIGHT
       (see ccprof_heap_stacks_allocate). */
    uint64_t live_weight, peak_weight;
    uint64_t peaks;  /* number of peaks so far; 0: nothing was in use yet */
    uint64_t memory; /* mapped bytes */
    struct ccprof_heap_life
        *lives; /* mapped array, of which the first LIVES_LEFT are free */
    uint32_t lives_left;
    uint32_t sizes;  /* number of points for sizes */
    uint64_t random; /* state of the random number generator for rounding */
};

/* Initializes the tree, which must be all zeros. Returns false if there is no memory. */
bool ccprof_heap_stacks_start(struct ccprof_heap_stacks *stacks);

static inline struct ccprof_heap_point *
ccprof_heap_stacks_point(const struct ccprof_heap_stacks *stacks, uint32_t number)
{
    return &stacks->chunk[number / CCPROF_HEAP_STACKS_CHUNK]
                         [number % CCPROF_HEAP_STACKS_CHUNK];
}

/* Returns the number of the point at ADDRESS that CALLER has called, or 0. */
uint32_t ccprof_heap_stacks_find(const struct ccprof_heap_stacks *stacks, uint32_t caller,
                                 uint64_t address);

/* Returns the number of the point at ADDRESS that CALLER has called. Adds the point
   if it is missing. Returns 0 if there is no room. */
uint32_t ccprof_heap_stacks_put(struct ccprof_heap_stacks *stacks, uint32_t caller,
                                uint64_t address);

/* Count a block of the stack as allocated, or as freed. KEPT: the block is in use
   until it is counted as freed. WEIGHT is the number of bytes that the block adds to
   the estimate of the bytes in use; it is BYTES if every block is counted. Another
   thread may count a block as freed before it is counted as allocated, so the amount
   in use may be negative for some time. Allocate returns true if this is a new peak. */
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

/* Allocates the details of the point. Returns null if there is no memory. */
struct ccprof_heap_life *ccprof_heap_stacks_make_life(struct ccprof_heap_stacks *stacks,
                                                      struct ccprof_heap_point *point);

/* Returns the details about the stack's blocks, or null if there is no room. */
static inline struct ccprof_heap_life *
ccprof_heap_stacks_life(struct ccprof_heap_stacks *stacks, uint32_t stack)
{
    struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, stack);

    return __builtin_expect(point->life != NULL, true)
               ? point->life
               : ccprof_heap_stacks_make_life(stacks, point);
}

/* Returns the amount that the point had in use at the last peak. */
struct ccprof_heap_amount
ccprof_heap_stacks_at_peak(const struct ccprof_heap_stacks *stacks,
                           const struct ccprof_heap_point *point);

/* Resets the amounts allocated and freed, for a new slice or in the child of a fork.
   The amounts in use stay and become the first peak. */
void ccprof_heap_stacks_restart(struct ccprof_heap_stacks *stacks);

/* From this number of points for sizes on, new sizes are rounded. */
#define CCPROF_HEAP_SIZES_EXACT 16384u

/* Returns the number of the point below the stack CALLER for a sampled block of SIZE
   bytes. Adds the point if it is missing. Returns 0 if there is no room. */
uint32_t ccprof_heap_sizes_put(struct ccprof_heap_stacks *stacks, uint32_t caller,
                               uint64_t size);

/* Returns the size of the point's blocks, which may be rounded. */
static inline uint64_t ccprof_heap_sizes_of(const struct ccprof_heap_stacks *stacks,
                                            uint32_t point)
{
    return ccprof_heap_stacks_point(stacks, point)->address & ~CCPROF_HEAP_STACKS_SIZE;
}

#endif
