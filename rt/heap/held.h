/* SPDX-License-Identifier: MIT */
/* The whole heap, for heap.c, which counts, and for the files that read it at rest:
   held.c, write.c and reach.c.  Its functions are called by one thread at a time, with
   all signals blocked.  */

#ifndef CCPROF_HEAP_HELD_H
#define CCPROF_HEAP_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/blocks.h"
#include "rt/heap/changes.h"
#include "rt/heap/slots.h"
#include "rt/os/lock.h"

/* The members that all threads read in each call come first, and share no cache line with
   those that threads write.  */
struct ccprof_heap {
    struct ccprof_heap_blocks blocks;
    _Alignas(64) ccprof_lock lock; /* of STATE, and of BLOCKS if these have a filter */
    struct ccprof_heap_state state;
    struct ccprof_heap_slots slots;
};

/* Null before ccprof_heap_start.  */
extern struct ccprof_heap *ccprof_heap;

/* As in struct ccprof_heap_state; counted outside of the lock.  */
extern _Atomic uint64_t ccprof_heap_unkept, ccprof_heap_unknown, ccprof_heap_unseen;

/* Returns the time in nanoseconds, which may be a few milliseconds old.  Makes no system
   call.  */
uint64_t ccprof_heap_clock(void);

/* Returns the lower bits of the time in milliseconds, which blocks keep.  */
static inline uint32_t ccprof_heap_milliseconds(uint64_t time)
{
    return (uint32_t)(time / 1000000);
}

/* Counts the changes that the slot's thread has kept to itself.  The lock is held, or the
   heap.  */
void ccprof_heap_count_kept(struct ccprof_heap_slot *slot, uint64_t time);

/* Holds the heap until release.  Returns false if a thread does not leave within a second
   or waits for this thread; then what is copied may be inconsistent.  ENDED: the program
   ends, perhaps by a handler that has interrupted its own thread inside.  */
bool ccprof_heap_hold(bool ended);
void ccprof_heap_release(void);

/* Copies the state, except for its points, to which the copy refers.  Changes that
   threads still keep to themselves are counted as unkept.  */
void ccprof_heap_copy_state(struct ccprof_heap_state *state);

/* The following functions are called while the heap is held.  */

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

#endif
