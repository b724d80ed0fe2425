/* SPDX-License-Identifier: MIT */
/* Finds out at the end of the program which blocks are still reachable. Works like
   garbage collectors that do not know which words are pointers (Boehm, Weiser: Garbage
   Collection in an Uncooperative Environment, 1988): each word in the roots, and in
   blocks that are reached, may be the address of a block. write.c calls
   ccprof_heap_reach_find while it holds the heap. The kernel copies the memory that
   is searched, so that the search survives if another thread unmaps it.

   roots.c finds the roots: all memory that the program can write, except the
   allocator's own memory. Of a thread's stack, only the part in use is a root, from
   the thread's stack pointer upwards. The stack pointers are known for the calling
   thread and for threads that wait in the kernel. The registers of other threads are
   not known, but a waiting thread has stored most of them on its stack. */

#ifndef CCPROF_HEAP_REACH_H
#define CCPROF_HEAP_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/stacks.h"
#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

enum ccprof_heap_reachability {
    CCPROF_HEAP_LOST,     /* nothing refers to the block, except possibly lost blocks */
    CCPROF_HEAP_INDIRECT, /* a lost block refers to it */
    CCPROF_HEAP_POSSIBLE, /* reachable only through pointers into the middle of blocks */
    CCPROF_HEAP_REACHED,
    CCPROF_HEAP_REACHES
};

struct ccprof_heap_reach {
    struct ccprof_heap_amount by_state[CCPROF_HEAP_REACHES];
};

/* Adds the blocks in use to REACH, indexed by the number of their stack. Blocks of
   stacks with numbers of COUNT or more are left out. Returns false if the roots
   cannot be read, or if there is no memory. */
bool ccprof_heap_reach_find(struct ccprof_heap_reach *reach, uint32_t count);

/* The functions below are in roots.c. */

struct ccprof_heap_root {
    uint64_t from, to;
};

struct ccprof_heap_roots {
    struct ccprof_pages pages;
    struct ccprof_heap_root *root;
    uint32_t count;
    struct ccprof_heap_root libc;             /* variables of libc */
    uint64_t registers[CCPROF_CPU_REGISTERS]; /* registers of the calling thread */
};

/* Records that blocks below FIRST in [heap] were allocated before counting began.
   Must be called before ccprof_heap_roots_find, which otherwise fails. Called by the
   constructor. */
void ccprof_heap_roots_start(uint64_t first);

/* Records the calling thread's registers and the addresses of thread-local variables,
   before the thread ends the program by exit. Reads the loader's lists. */
void ccprof_heap_roots_exit(const uint64_t *registers);

/* Fills in ROOTS, sorted by address, with the thread-local variables at the end. The
   caller frees ROOTS->pages, even on failure. Returns false if /proc/self/maps cannot
   be read, or if there is no memory. Signals must be blocked. */
bool ccprof_heap_roots_find(struct ccprof_heap_roots *roots);

#endif
