/* SPDX-License-Identifier: MIT */
/* Decides which threads may change the heap.  Only heap.c uses this, but for
   CCPROF_HEAP_PATIENCE.

   Each thread that counts a block takes a slot: room for its walk (walk.h) and for the
   changes that it keeps to itself (changes.h).  Nobody changes anything without a slot.
   So the thread that holds every slot finds the heap at rest.  To get every slot, a
   thread closes a gate.  Nobody takes a slot while the gate is closed, and threads that
   have slots give them back within microseconds, or as soon as they get a processor.  A
   thread takes its slot between two calls of the allocator, so that a thread that waits
   at the gate holds none of the allocator's locks.

   A lock protects the tree of stacks and all that is counted in it.  Threads that have
   slots take the lock for a few dozen instructions.  */

#ifndef CCPROF_HEAP_SLOTS_H
#define CCPROF_HEAP_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/changes.h"
#include "rt/heap/walk.h"
#include "rt/os/lock.h"

/* Nanoseconds that a thread waits at most for anything of the heap that another thread
   holds: a signal may have stopped the other thread for good.  */
#define CCPROF_HEAP_PATIENCE UINT64_C(10000000000)

/* Threads that can count at the same time.  */
#define CCPROF_HEAP_SLOTS 64

struct ccprof_heap_slot {
    _Atomic uint32_t busy;
    struct ccprof_heap_changes changes;
    struct ccprof_heap_walk walk;
} __attribute__((aligned(64)));

/* All zeros is a set of free slots.  The members that all threads read come first, and
   seldom change.  */
struct ccprof_heap_slots {
    _Atomic uint32_t gate;   /* how often it was closed and opened: odd while closed */
    _Atomic uint32_t closer; /* the process that has closed it last */
    _Atomic uint32_t used;   /* this slot and those behind it were never taken */
    ccprof_lock all;         /* the thread that closes the gate holds this */
    struct ccprof_heap_slot slot[CCPROF_HEAP_SLOTS];
};

/* Takes a free slot, preferably the one that the calling thread had last.  Waits while
   the gate is closed or no slot is free.  Returns null if this takes too long.  In a
   process with one thread the slot is not marked as busy: no other thread begins before
   the slot is given back, and a handler that interrupts the thread takes none.  */
struct ccprof_heap_slot *ccprof_heap_slots_take(struct ccprof_heap_slots *slots);
void ccprof_heap_slots_give_back(struct ccprof_heap_slot *slot);

/* Returns the slot that the calling thread has or is about to take, for a handler that
   has interrupted the thread; null if there is none, or in a process with one thread.
   Async-signal-safe.  */
const struct ccprof_heap_slot *ccprof_heap_slots_own(void);

/* Why a thread takes every slot.  */
enum ccprof_heap_slots_purpose {
    CCPROF_HEAP_SLOTS_FORK,  /* fork: other threads wait only briefly */
    CCPROF_HEAP_SLOTS_WRITE, /* a file is written: gives up when hurry is called */
    CCPROF_HEAP_SLOTS_LAST,  /* in a handler that has interrupted its own thread inside:
                                gives up soon, since others may wait for this thread */
};

/* Closes the gate and waits until nobody but the calling thread has a slot.  Returns
   false, with the gate open again, if a thread does not give its slot back: a signal may
   have stopped it for good.  */
bool ccprof_heap_slots_take_all(struct ccprof_heap_slots *slots,
                                enum ccprof_heap_slots_purpose purpose);
void ccprof_heap_slots_give_back_all(struct ccprof_heap_slots *slots);

/* Notes that the calling thread waits for a thread that may be waiting for every slot. To
   be called again and again.  Async-signal-safe.  */
void ccprof_heap_slots_hurry(void);

/* In the child of a fork: opens the gate and frees the slots of threads that exist only
   in the parent.  */
void ccprof_heap_slots_drop(struct ccprof_heap_slots *slots);

/* Returns how many slots have ever been taken.  These are the first ones.  */
static inline uint32_t ccprof_heap_slots_count(const struct ccprof_heap_slots *slots)
{
    return atomic_load_explicit(&slots->used, memory_order_relaxed);
}

/* Takes the lock.  Returns false if the lock cannot be had within seconds; then no thread
   waits again until the lock is given back.  A process with one thread needs no lock,
   since a handler that interrupts the thread inside changes nothing; and it gets no
   second thread meanwhile.  libc itself knows of all threads that may call its allocator.
 */
bool ccprof_heap_lock_take(ccprof_lock *lock);
void ccprof_heap_lock_give_back(ccprof_lock *lock);

/* Returns whether a handler has interrupted its thread while the thread holds the lock or
   takes it.  Then a change may be half done, and goes on when the handler returns.
   Async-signal-safe.  */
bool ccprof_heap_lock_is_mine(void);

#endif
