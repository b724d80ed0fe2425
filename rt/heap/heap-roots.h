/* SPDX-License-Identifier: MIT */
/* Finds the memory from which the program can reach its blocks when it ends: what it may
   write to, without the allocator's own memory.  Only heap-reach.c and heap.c use this.

   Of stacks of threads only what is in use counts: from the stack pointers of threads
   that wait in the kernel, and of the calling thread, upwards.  The registers of other
   threads are not known; a thread that waits has mostly stored them on its stack.  */

#ifndef CCPROF_HEAP_ROOTS_H
#define CCPROF_HEAP_ROOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

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

/* Tells that libc's allocator has given what is below this address of the [heap] before
   blocks were counted.  Without this call nothing is found.  Constructor.  */
void ccprof_heap_roots_start(uint64_t first);

/* Notes where the calling thread's stack, registers and variables are, before it ends the
   program by exit: the loader's lists may be read.  */
void ccprof_heap_roots_exit(const uint64_t *registers);

/* Fills in ROOTS, in the order of their addresses.  The caller frees the pages.  Returns
   false if that is not possible.  Signals are blocked.  */
bool ccprof_heap_roots_find(struct ccprof_heap_roots *roots);

#endif
