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

/* If a thread takes more locks, the oldest one of the list is forgotten: another thread
   may have released it. */
#define CCPROF_HELD_MOST 16

struct ccprof_held {
    uint32_t tid; /* the kernel's number of the thread */
    _Atomic uint32_t count;
    struct {
        _Atomic uint64_t object, taken;
    } lock[CCPROF_HELD_MOST];
};

/* The list of the calling thread, in memory that stays mapped when the thread ends; null:
   the thread is not measured. */
extern __thread struct ccprof_held *ccprof_held;

/* Removes the lock OBJECT. Returns the address after the call that took it; 0 if it is
   not in the list. */
uint64_t ccprof_held_remove(uint64_t object);

/* Adds the lock OBJECT, which the call that returns to TAKEN has taken. */
static inline void ccprof_held_add(uint64_t object, uint64_t taken)
{
    struct ccprof_held *held = ccprof_held;

    if (!held)
        return;
    uint32_t count = atomic_load_explicit(&held->count, memory_order_relaxed);
    if (count == CCPROF_HELD_MOST) {
        ccprof_held_remove(held->lock[0].object);
        count = held->count;
        if (count >= CCPROF_HELD_MOST)
            return; /* a handler has interrupted a change of the list */
    }
    atomic_store_explicit(&held->lock[count].taken, taken, memory_order_relaxed);
    atomic_store_explicit(&held->lock[count].object, object, memory_order_release);
    atomic_store_explicit(&held->count, count + 1, memory_order_relaxed);
}

/* Removes the lock OBJECT, if the thread has taken no other one since. Returns whether it
   is removed. */
static inline bool ccprof_held_remove_last(uint64_t object)
{
    struct ccprof_held *held = ccprof_held;

    if (!held)
        return false;
    const uint32_t last = atomic_load_explicit(&held->count, memory_order_relaxed) - 1;
    if (last >= CCPROF_HELD_MOST ||
        atomic_load_explicit(&held->lock[last].object, memory_order_relaxed) != object)
        return false;
    atomic_store_explicit(&held->lock[last].object, 0, memory_order_relaxed);
    atomic_store_explicit(&held->count, last, memory_order_relaxed);
    return true;
}

/* Returns the address after the call with which the thread of HELD has taken OBJECT; 0 if
   it does not hold it. HELD may change meanwhile. */
uint64_t ccprof_held_find(const struct ccprof_held *held, uint64_t object);

#endif
