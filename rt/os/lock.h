/* SPDX-License-Identifier: MIT */
/* Makes threads wait for each other, or for a word, asleep, with a futex (Drepper,
   "Futexes Are Tricky").  Code that takes a lock must never interrupt the thread that
   holds the lock. A lock of zeros is free.  All functions are async-signal-safe and leave
   errno alone.  */

#ifndef CCPROF_LOCK_H
#define CCPROF_LOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef _Atomic uint32_t ccprof_lock;

/* Takes the lock if it is free.  Returns false if a thread holds the lock.  */
bool ccprof_lock_try(ccprof_lock *lock);

/* Waits for the lock, PATIENCE nanoseconds at most, since a fatal signal may have cut off
   the holder for ever.  Returns whether the lock was taken.  */
bool ccprof_lock_wait(ccprof_lock *lock, uint64_t patience);

/* Waits for the lock without a bound.  */
void ccprof_lock_take(ccprof_lock *lock);

/* Releases the lock.  In the child of a fork any thread may have held it.  */
void ccprof_lock_release(ccprof_lock *lock);

/* Sleeps while WORD is VALUE, but no longer than to the time UNTIL of CLOCK_MONOTONIC in
   nanoseconds; UNTIL 0 is no bound.  May return earlier.  */
void ccprof_lock_sleep(_Atomic uint32_t *word, uint32_t value, uint64_t until);

/* Wakes all who sleep for WORD, which has changed.  */
void ccprof_lock_wake(_Atomic uint32_t *word);

#endif
