/* SPDX-License-Identifier: MIT */
/* Guards a few dozen instructions with a flag.  No thread waits for a flag without a
   bound: after that the caller does without.  Handlers block all signals, so the holder
   of a flag is another thread, or code that a fatal signal has cut off for good.  */

#ifndef CCPROF_SPIN_H
#define CCPROF_SPIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

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

#endif
