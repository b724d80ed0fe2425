/* SPDX-License-Identifier: MIT */
/* Finds the point of a sampled block's size below its stack.  Estimates need the size of
   each sampled block, so blocks of different sizes have points of their own.  A program
   that makes blocks of a million sizes must not have a million points: once there are
   many, sizes that have no point yet are rounded, at random and such that the mean of
   what is rounded is the true size.  Only heap.c uses this, with the lock of the heap
   held.  */

#ifndef CCPROF_HEAP_SIZES_H
#define CCPROF_HEAP_SIZES_H

#include <stdint.h>

#include "rt/heap/heap-stacks.h"

/* No size is rounded before there are so many points of sizes.  */
#define CCPROF_HEAP_SIZES_EXACT 16384u

/* Returns the number of the point of a block of SIZE bytes that the stack CALLER has
   made, which is added if it is missing; 0 if there is no room.  */
uint32_t ccprof_heap_sizes_put(struct ccprof_heap_stacks *stacks, uint32_t caller,
                               uint64_t size);

/* Returns the size that blocks of the point count with.  */
static inline uint64_t ccprof_heap_sizes_of(const struct ccprof_heap_stacks *stacks,
                                            uint32_t point)
{
    return ccprof_heap_stacks_point(stacks, point)->address & ~CCPROF_HEAP_STACKS_SIZE;
}

#endif
