/* SPDX-License-Identifier: MIT */
/* The locks that each thread holds, with the calls that took them. The replacements of
   functions for locks (rt/entry/wait-locks.c) call ccprof_held_add and _remove; the
   thread itself changes its list, without a lock, and other threads read it. Waits of
   other threads find the call that took the lock (wait.c). */

#ifndef CCPROF_WAIT_HELD_H
#define CCPROF_WAIT_HELD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Locks that a thread holds beyond these are not known. */
#define CCPROF_HELD_MOST 16

struct ccprof_held {
    _Atomic uint32_t count; /* of all locks, even if LOCK is too short */
    struct {
        _Atomic uint64_t object, taken;
    } lock[CCPROF_HELD_MOST];
};

/* The list of the calling thread. */
extern __thread struct ccprof_held ccprof_held;

/* Adds the lock OBJECT, which the call that returns to TAKEN has taken. */
static inline void ccprof_held_add(uint64_t object, uint64_t taken)
{
    const uint32_t count = atomic_load_explicit(&ccprof_held.count, memory_order_relaxed);

    if (count < CCPROF_HELD_MOST) {
        atomic_store_explicit(&ccprof_held.lock[count].taken, taken,
                              memory_order_relaxed);
        atomic_store_explicit(&ccprof_held.lock[count].object, object,
                              memory_order_release);
    }
    atomic_store_explicit(&ccprof_held.count, count + 1, memory_order_relaxed);
}

/* Removes the lock OBJECT, if the thread has taken no other one since. Returns whether it
   is removed. */
static inline bool ccprof_held_remove_last(uint64_t object)
{
    const uint32_t last =
        atomic_load_explicit(&ccprof_held.count, memory_order_relaxed) - 1;

    if (last >= CCPROF_HELD_MOST || atomic_load_explicit(&ccprof_held.lock[last].object,
                                                         memory_order_relaxed) != object)
        return false;
    atomic_store_explicit(&ccprof_held.lock[last].object, 0, memory_order_relaxed);
    atomic_store_explicit(&ccprof_held.count, last, memory_order_relaxed);
    return true;
}

/* Removes the lock OBJECT. Returns the address after the call that took it; 0 if it is
   not known. */
uint64_t ccprof_held_remove(uint64_t object);

/* Returns the address after the call with which the thread of HELD has taken OBJECT; 0 if
   it does not hold it. HELD may change meanwhile. */
uint64_t ccprof_held_find(const struct ccprof_held *held, uint64_t object);

#endif
