/* SPDX-License-Identifier: MIT */
/* The lock of the heap.  Owns what is known of a thread that does not give it back.  */

#include <stdatomic.h>
#include <sys/single_threaded.h>

#include "rt/heap/heap-lock.h"

/* Somebody has waited in vain for the lock, which nobody has given back since.  */
static _Atomic bool is_stuck;

/* The thread has the lock, or tries to take it; not while it waits.  The only thread has
   none, but works alike.  */
static __thread bool mine;

static void lock_mine(bool is)
{
    atomic_signal_fence(memory_order_seq_cst);
    mine = is;
    atomic_signal_fence(memory_order_seq_cst);
}

static bool lock_wait(ccprof_lock *lock)
{
    lock_mine(false);
    if (atomic_load(&is_stuck))
        return false;
    if (ccprof_lock_wait(lock, CCPROF_HEAP_PATIENCE)) {
        lock_mine(true);
        return true;
    }
    atomic_store(&is_stuck, true);
    return false;
}

bool ccprof_heap_lock_take(ccprof_lock *lock)
{
    lock_mine(true);
    return __libc_single_threaded || ccprof_lock_try(lock) || lock_wait(lock);
}

static void lock_give_back(ccprof_lock *lock)
{
    if (__libc_single_threaded)
        return;
    if (__builtin_expect(atomic_load_explicit(&is_stuck, memory_order_relaxed), false))
        atomic_store(&is_stuck, false);
    ccprof_lock_release(lock);
}

void ccprof_heap_lock_give_back(ccprof_lock *lock)
{
    lock_give_back(lock);
    lock_mine(false);
}

bool ccprof_heap_lock_is_mine(void)
{
    return mine;
}
