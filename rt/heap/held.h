/* SPDX-License-Identifier: MIT */
/* The structure of the whole heap. heap.c counts in it. held.c, write.c and reach.c
   work on it while the heap is held, so that nothing changes. Only one thread at a
   time may call the functions, with all signals blocked. */

#ifndef CCPROF_HEAP_HELD_H
#define CCPROF_HEAP_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/blocks.h"
#include "rt/heap/changes.h"
#include "rt/heap/slots.h"
#include "rt/os/lock.h"

/* The members that all threads read in each call come first. They share no cache line
   with the members that threads write. */
struct ccprof_heap {
    struct ccprof_heap_blocks blocks;
    _Alignas(64) ccprof_lock lock; /* protects STATE, and BLOCKS if blocks are sampled */
    struct ccprof_heap_state state;
    struct ccprof_heap_slots slots;
};

/* Null before ccprof_heap_start. Its state changes only after ccprof_heap_record. */
extern struct ccprof_heap *ccprof_heap;

/* Returns whether blocks are sampled: only the blocks in the filter have been counted.
   Otherwise every block is counted. Call this after ccprof_heap_start. */
static inline bool ccprof_heap_samples_blocks(void)
{
    return ccprof_heap->blocks.filter;
}

/* The numbers of these names in struct ccprof_heap_state; they are changed without the
   lock. */
extern _Atomic uint64_t ccprof_heap_unkept, ccprof_heap_unknown, ccprof_heap_unseen;

/* Returns the time in nanoseconds, which may be a few milliseconds late. Makes no
   system call. */
uint64_t ccprof_heap_clock(void);

/* Returns the lower 32 bits of the time in milliseconds, as stored in blocks. */
static inline uint32_t ccprof_heap_milliseconds(uint64_t time)
{
    return (uint32_t)(time / 1000000);
}

/* Counts the changes that the slot's thread has collected. The caller holds the lock
   or the whole heap. */
void ccprof_heap_count_kept(struct ccprof_heap_slot *slot, uint64_t time);

/* Holds the heap until ccprof_heap_release. Returns false if a thread does not leave
   within a second or waits for this thread; then a copy may be inconsistent. ENDED:
   the program ends, perhaps in a handler that has interrupted its own thread inside. */
bool ccprof_heap_hold(bool ended);
void ccprof_heap_release(void);

/* Copies the state, except its points: the copy refers to the original points.
   Changes that threads have collected but not counted are added to UNKEPT. */
void ccprof_heap_copy_state(struct ccprof_heap_state *state);

/* Returns whether counting has started later than the program (ccprof_heap_record). */
bool ccprof_heap_is_later(void);

/* The end of the message about this, which a forked child repeats. */
#define CCPROF_HEAP_EARLIER "blocks allocated before are not included"

/* The functions below are called while the heap is held. */

/* Begins a new slice: resets the amounts allocated and freed. The memory in use now
   becomes the first peak. */
void ccprof_heap_restart(void);

/* Add to the variables UNKEPT and UNKNOWN, whose values ccprof_heap_copy_state copies.
   The arguments may be negative numbers. */
void ccprof_heap_add_unkept(uint64_t unkept, uint64_t unknown);

/* At the end of the program, returns a lower bound of the bytes in use in the
   allocator. Returns UINT64_MAX if this is not known, or if a lock of the allocator
   may be held. */
uint64_t ccprof_heap_in_use(void);

/* Returns whether the file must say which blocks are reachable, and whether this can
   be found out now. */
bool ccprof_heap_finds_reachable(void);

#endif
