/* SPDX-License-Identifier: MIT */
/* The lock of the heap's tree of stacks and of all that is counted in it, which heap.c
   takes in any thread that is inside; and how long to wait for it and others.

   A process with one thread needs no lock, since a handler that interrupts the thread
   inside changes nothing; that cannot change while the thread is inside.  Libc knows by
   itself of all threads that may call its allocator.  */

#ifndef CCPROF_HEAP_LOCK_H
#define CCPROF_HEAP_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/lock.h"

/* Nanoseconds that a thread waits at most for whatever another thread has of the heap: a
   signal may have stopped that one for good.  */
#define CCPROF_HEAP_PATIENCE UINT64_C(10000000000)

/* Takes the lock, waiting for seconds at most.  Returns false if it cannot be had: nobody
   waits a second time for a thread that does not give it back.  */
bool ccprof_heap_lock_take(ccprof_lock *lock);
void ccprof_heap_lock_give_back(ccprof_lock *lock);

/* Returns whether a handler has interrupted its thread while that has the lock, or just
   takes it: what is counted may be in the middle of a change, which goes on behind the
   handler.  Async-signal-safe.  */
bool ccprof_heap_lock_is_mine(void);

#endif
