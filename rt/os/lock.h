/* SPDX-License-Identifier: MIT */
/* Makes threads wait for each other, or for a word, asleep, with a futex (Drepper,
   "Futexes Are Tricky").  Code that takes a lock must never interrupt the thread that
   holds the lock. A lock of zeros is free.  All functions are async-signal-safe and leave
   errno alone.  */

#ifndef CCPROF_LOCK_H
#define CCPROF_LOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdatomic.h>

#include "rt/os/sys.h"

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

/* Guards a few dozen instructions with a flag.  No thread waits for a flag without a
   bound: after that the caller does without.  Handlers block all signals, so the holder
   of a flag is another thread, or code that a fatal signal has cut off for good.  */

/* The flag is a word, since some processors have no atomic bytes.  */
typedef _Atomic unsigned ccprof_spin;

#define CCPROF_SPIN_TRIES 1000

static inline bool ccprof_spin_try_once(ccprof_spin *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed) == 0 &&
           atomic_exchange_explicit(flag, 1, memory_order_acquire) == 0;
}

static inline bool ccprof_spin_try(ccprof_spin *flag)
{
    for (int i = 0; i < CCPROF_SPIN_TRIES; i++)
        if (ccprof_spin_try_once(flag))
            return true;
    return false;
}

/* Takes the flag, for which it waits PATIENCE nanoseconds at most while other threads
   run: who has the flag may wait for a processor.  Returns false if the flag did not
   become free.  Async-signal-safe.  */
bool ccprof_spin_wait(ccprof_spin *flag, uint64_t patience);

/* Lets other threads run: some turns for who is ready, then asleep, for longer from turn
   to turn, since a thread with real-time priority never yields to those with less.  TURN
   is 0 before the first one.  Async-signal-safe.  */
void ccprof_spin_pause(uint32_t *turn);

static inline void ccprof_spin_release(ccprof_spin *flag)
{
    atomic_store_explicit(flag, 0, memory_order_release);
}

/* Blocks all signals in the calling thread while a section of the runtime's code runs.
   If the section writes to files, the signals that its writes raise (SIGPIPE, SIGXFSZ)
   are discarded at its end.  Async-signal-safe; sections may be nested.  */

/* In a thread that may make no system calls (strict.h), nothing is blocked.  */
struct ccprof_blocked {
    ccprof_sys_signals mask; /* the thread's mask before the section */
    bool writes;
    ccprof_sys_signals pending; /* signals that were pending before the first write */
};

void ccprof_blocked_begin(struct ccprof_blocked *blocked);

/* Tells that the section writes to files from now on.  */
void ccprof_blocked_write(struct ccprof_blocked *blocked);
void ccprof_blocked_end(const struct ccprof_blocked *blocked);

#endif
