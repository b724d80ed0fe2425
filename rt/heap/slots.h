/* SPDX-License-Identifier: MIT */
/* Decides which threads may change the heap. heap.c and held.c use these functions.
   blocks.c, tree.c and allocator.c use only CCPROF_HEAP_PATIENCE.

   Each thread that counts a block takes a slot: memory for its walk (walk.h) and for
   the changes that it collects (changes.h). No thread changes the heap without a
   slot. Therefore nothing changes while one thread holds every slot. To get every
   slot, a thread closes a gate. No thread takes a slot while the gate is closed, and
   threads that have slots give them back within microseconds, or as soon as they get a
   processor. A thread takes its slot between two calls of the allocator, so that a
   thread that waits at the gate holds no lock of the allocator.

   A lock protects the tree of stacks and all its counts. Threads that have slots hold
   the lock for a few dozen instructions. */

#ifndef CCPROF_HEAP_SLOTS_H
#define CCPROF_HEAP_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/changes.h"
#include "rt/heap/walk.h"
#include "rt/os/lock.h"

/* Maximum time in nanoseconds that a thread waits for a lock or slot of the heap that
   another thread holds. A signal may have stopped the other thread for good. */
#define CCPROF_HEAP_PATIENCE UINT64_C(10000000000)

/* Maximum number of threads that can count at the same time. */
#define CCPROF_HEAP_SLOTS 64

struct ccprof_heap_slot {
    _Atomic uint32_t busy;
    struct ccprof_heap_changes changes;
    struct ccprof_heap_walk walk;
} __attribute__((aligned(64)));

/* A structure of zeros has only free slots. The members that all threads read come
   first; they change rarely. */
struct ccprof_heap_slots {
    _Atomic uint32_t gate;   /* number of closings and openings: odd while closed */
    _Atomic uint32_t closer; /* process that closed the gate last */
    _Atomic uint32_t used;   /* slots from this index on were never taken */
    ccprof_lock all;         /* held by the thread that has closed the gate */
    struct ccprof_heap_slot slot[CCPROF_HEAP_SLOTS];
};

/* Takes a free slot, if possible the last one that the calling thread had. Waits
   while the gate is closed or no slot is free. Returns null if this takes too long.
   In a process with one thread the slot is not marked as busy: no other thread starts
   before the slot is given back, and a handler that interrupts the thread takes no
   slot. */
struct ccprof_heap_slot *ccprof_heap_slots_take(struct ccprof_heap_slots *slots);
void ccprof_heap_slots_give_back(struct ccprof_heap_slot *slot);

/* Returns the slot that the calling thread has or is about to take, for a handler that
   has interrupted the thread. Returns null if there is no such slot, or in a process
   with one thread. Async-signal-safe. */
const struct ccprof_heap_slot *ccprof_heap_slots_own(void);

/* Why a thread takes every slot. */
enum ccprof_heap_slots_purpose {
    CCPROF_HEAP_SLOTS_FORK,  /* fork: other threads wait only for a short time */
    CCPROF_HEAP_SLOTS_WRITE, /* writing a file: gives up if ccprof_heap_slots_hurry is
                                called */
    /* In a handler that has interrupted its own thread inside: gives up soon, since
       others may wait for this thread. */
    CCPROF_HEAP_SLOTS_LAST,
};

/* Closes the gate and waits until no other thread has a slot. Returns false, with the
   gate open again, if a thread does not give its slot back. A signal may have stopped
   that thread for good. */
bool ccprof_heap_slots_take_all(struct ccprof_heap_slots *slots,
                                enum ccprof_heap_slots_purpose purpose);
void ccprof_heap_slots_give_back_all(struct ccprof_heap_slots *slots);

/* Records that the calling thread waits for a thread that may be waiting for every
   slot. Must be called repeatedly. Async-signal-safe. */
void ccprof_heap_slots_hurry(void);

/* In the child of a fork: frees the slots of threads that exist only in the parent. Even
   if the forking thread has every slot, another thread may have taken one and not have
   seen yet that the gate is closed. */
void ccprof_heap_slots_drop(struct ccprof_heap_slots *slots);

/* Returns the number of slots that have ever been taken. The taken slots are the
   first slots of the array. */
static inline uint32_t ccprof_heap_slots_count(const struct ccprof_heap_slots *slots)
{
    return atomic_load_explicit(&slots->used, memory_order_relaxed);
}

/* Takes the lock. Returns false if the lock is not free within CCPROF_HEAP_PATIENCE;
   then no thread waits for it again until it is given back.

   A process with one thread needs no lock: a handler that interrupts the thread inside
   changes nothing, and no second thread can start meanwhile. libc knows all threads
   that may call its allocator. */
bool ccprof_heap_lock_take(ccprof_lock *lock);
void ccprof_heap_lock_give_back(ccprof_lock *lock);

/* Returns whether a handler has interrupted its thread while the thread holds the lock
   or takes it. If so, a change may be half done and continues only after the handler
   returns. Async-signal-safe. */
bool ccprof_heap_lock_is_mine(void);

#endif
