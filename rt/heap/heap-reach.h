/* SPDX-License-Identifier: MIT */
/* Finds out at the end of the program which blocks it can still reach, as garbage
   collectors do that do not know what is a pointer (Boehm, Weiser: Garbage Collection in
   an Uncooperative Environment, 1988): each word of the roots (heap-roots.h), and of
   blocks that are reached, may be the address of a block.  Only heap-copy.c uses this,
   while it holds the heap.  The kernel copies the memory that is looked at, so that
   nothing happens where another thread unmaps it.  */

#ifndef CCPROF_HEAP_REACH_H
#define CCPROF_HEAP_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-stacks.h"

enum ccprof_heap_state_of {
    CCPROF_HEAP_LOST,     /* nothing refers to the block, but other lost ones perhaps */
    CCPROF_HEAP_INDIRECT, /* a lost block refers to it */
    CCPROF_HEAP_POSSIBLE, /* reached, but only by way of the inside of a block */
    CCPROF_HEAP_REACHED,
    CCPROF_HEAP_REACHES
};

struct ccprof_heap_reach {
    struct ccprof_heap_amount of[CCPROF_HEAP_REACHES];
};

/* Adds to REACH, by number of the stack, the blocks that are alive; of stacks from COUNT
   on nothing.  Returns false if that is not possible.  */
bool ccprof_heap_reach_find(struct ccprof_heap_reach *reach, uint32_t count);

#endif
