/* SPDX-License-Identifier: MIT */
/* The parts of heap.c that write.c and reach.c use: they hold the heap, so that nothing
   changes, and read what is counted.  One thread at a time, with all signals blocked.  */

#ifndef CCPROF_HEAP_HELD_H
#define CCPROF_HEAP_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/changes.h"
#include "rt/heap/tree.h"
#include "rt/os/pages.h"

/* Holds the heap until release.  Returns false if a thread does not leave within a second
   or waits for this thread; then what is copied may be inconsistent.  ENDED: the program
   ends, perhaps by a handler that has interrupted its own thread inside.  */
bool ccprof_heap_hold(bool ended);
void ccprof_heap_release(void);

/* Copies the state, except for its points, to which the copy refers.  Changes that
   threads still keep to themselves are counted as unkept.  */
void ccprof_heap_copy_state(struct ccprof_heap_state *state);

/* The following functions are called while the heap is held.  */

/* Returns the state itself.  Its UNKNOWN, UNKEPT and MEMORY are not set.  */
struct ccprof_heap_state *ccprof_heap_held_state(void);

/* Begins a new slice: forgets what was allocated and freed.  What is in use is the first
   peak.  */
void ccprof_heap_restart(void);

/* Adds to the numbers UNKEPT and UNKNOWN, of which the state has copies; subtracts what
   is negative.  */
void ccprof_heap_add_unkept(uint64_t unkept, uint64_t unknown);

/* At the end of the program.  Returns how many bytes of the allocator are in use, at
   least; UINT64_MAX if this is not known, or if somebody may have left a lock of the
   allocator locked.  */
uint64_t ccprof_heap_in_use(void);

/* Returns whether the file is to say which blocks can be reached, and this may be found
   out now.  */
bool ccprof_heap_finds_reachable(void);

/* Calls BLOCK with OF for each block that is in use.  */
void ccprof_heap_each_block(void (*block)(void *of, uint64_t address,
                                          const struct ccprof_heap_record *record),
                            void *of);

/* Returns heap.c's own memory, in which are the registers of threads that were walking
   their stacks.  */
struct ccprof_pages ccprof_heap_private_memory(void);

#endif
