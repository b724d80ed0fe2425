/* SPDX-License-Identifier: MIT */
/* Makes threads wait for each other, asleep: a futex (Drepper, "Futexes Are Tricky"). A
   thread that holds the lock must not be interrupted by code that takes it.  A lock of
   zeros is free.  */

#ifndef CCPROF_LOCK_H
#define CCPROF_LOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef _Atomic uint32_t ccprof_lock;

/* Returns whether it was free.  Async-signal-safe, and leaves errno alone, as all here.
 */
bool ccprof_lock_try(ccprof_lock *lock);

/* Waits for so many nanoseconds at most, for a holder that a fatal signal has cut off
   perhaps.  Returns whether it was to be had.  */
bool ccprof_lock_wait(ccprof_lock *lock, uint64_t patience);

/* Waits as long as it takes.  */
void ccprof_lock_take(ccprof_lock *lock);

/* Also in the child of a fork, whoever held it.  */
void ccprof_lock_release(ccprof_lock *lock);

#endif
