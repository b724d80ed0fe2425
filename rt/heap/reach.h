/* SPDX-License-Identifier: MIT */
/* Finds out at the end of the program which blocks the program can still reach.  Works
   like garbage collectors that do not know which words are pointers (Boehm, Weiser:
   Garbage Collection in an Uncooperative Environment, 1988): each word of the roots, and
   of blocks that are reached, may be the address of a block.  write.c calls this while it
   holds the heap.  The kernel copies the memory that is searched, so that no harm is done
   if another thread unmaps it.

   roots.c finds the roots: all memory that the program may write to, except for the
   allocator's own.  Of a thread's stack, only the part in use is a root, from the
   thread's stack pointer upwards.  Stack pointers are known of the calling thread and of
   threads that wait in the kernel.  The registers of other threads are not known, but a
   waiting thread has mostly stored them on its stack.  */

#ifndef CCPROF_HEAP_REACH_H
#define CCPROF_HEAP_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/stacks.h"
#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

enum ccprof_heap_state_of {
    CCPROF_HEAP_LOST,     /* nothing refers to the block, except perhaps lost blocks */
    CCPROF_HEAP_INDIRECT, /* a lost block refers to it */
    CCPROF_HEAP_POSSIBLE, /* reached, but only by pointers into the middle of blocks */
    CCPROF_HEAP_REACHED,
    CCPROF_HEAP_REACHES
};

struct ccprof_heap_reach {
    struct ccprof_heap_amount of[CCPROF_HEAP_REACHES];
};

/* Adds the blocks in use to REACH, by the number of their stack.  Leaves out stacks from
   COUNT on.  Returns false if the roots cannot be read, or there is no memory.  */
bool ccprof_heap_reach_find(struct ccprof_heap_reach *reach, uint32_t count);

/* The following is in roots.c.  */

struct ccprof_heap_root {
    uint64_t from, to;
};

struct ccprof_heap_roots {
    struct ccprof_pages pages;
    struct ccprof_heap_root *root;
    uint32_t count;
    struct ccprof_heap_root libc;             /* its variables */
    uint64_t registers[CCPROF_CPU_REGISTERS]; /* of the calling thread */
};

/* Notes that blocks below FIRST in the [heap] were allocated before blocks were counted.
   If this is not called, find fails.  Constructor.  */
void ccprof_heap_roots_start(uint64_t first);

/* Notes the calling thread's registers, and where its stack and its variables are, before
   the thread ends the program by exit.  Reads the loader's lists.  */
void ccprof_heap_roots_exit(const uint64_t *registers);

/* Fills in ROOTS, in the order of their addresses.  The caller frees the pages, also if
   this fails.  Returns false if /proc/self/maps cannot be read, or if there is no memory.
   Signals are blocked.  */
bool ccprof_heap_roots_find(struct ccprof_heap_roots *roots);

#endif
