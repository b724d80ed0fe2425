/* SPDX-License-Identifier: MIT */
/* Protects data that threads and signal handlers share. Offers locks, which let a
   waiting thread sleep; spin flags, which guard a few dozen instructions; and sections
   in which all signals are blocked. All functions are async-signal-safe. */

#ifndef CCPROF_LOCK_H
#define CCPROF_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/os/sys.h"

/* Whether the calling thread is in the strict mode of seccomp(2). In this mode the
   kernel kills a thread that makes any system call except read, write, _exit and
   sigreturn. In such a thread the runtime waits for no lock, maps no memory, blocks
   no signal, and writes no file. Only rt/entry/strict.c sets this. */
extern _Thread_local volatile bool ccprof_strict;

/* A lock (Drepper, "Futexes Are Tricky"). A lock of zeros is free. Code that takes a
   lock must never interrupt the thread that holds the lock. The functions do not
   change errno. */
typedef _Atomic uint32_t ccprof_lock;

/* Takes the lock if it is free. Returns whether the lock was taken. */
bool ccprof_lock_try(ccprof_lock *lock);

/* Waits for the lock, at most PATIENCE nanoseconds: if a fatal signal interrupted the
   holder, the lock is never released. Returns whether the lock was taken. */
bool ccprof_lock_wait(ccprof_lock *lock, uint64_t patience);

/* Waits for the lock without a time limit. */
void ccprof_lock_take(ccprof_lock *lock);

/* Releases the lock. In the child of a fork, another thread of the parent may have
   held it. */
void ccprof_lock_release(ccprof_lock *lock);

/* Sleeps while *WORD is VALUE, at most until the time UNTIL of CLOCK_MONOTONIC in
   nanoseconds; 0 means no time limit. May return earlier. */
void ccprof_lock_sleep(_Atomic uint32_t *word, uint32_t value, uint64_t until);

/* Wakes all threads that sleep on WORD. Call this after the word was changed. */
void ccprof_lock_wake(_Atomic uint32_t *word);

/* A spin flag guards a few dozen instructions. No thread waits for a flag without a
   time limit: if the flag stays taken, the caller does its work without the guarded
   data. Handlers block all signals, so the holder of a flag is another thread, or
   code that a fatal signal interrupted and that never continues. The flag is a word,
   since some processors have no atomic bytes. */
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

/* Waits for the flag, at most PATIENCE nanoseconds. Lets other threads run meanwhile,
   since the holder may be waiting for a processor. Returns whether the flag was
   taken. */
bool ccprof_spin_wait(ccprof_spin *flag, uint64_t patience);

/* Lets other threads run. In the first turns the thread yields to threads that are
   ready to run. Later it sleeps, longer in each turn, since yielding never gives the
   processor to threads of a lower real-time priority. *TURN is 0 before the first
   turn. */
void ccprof_spin_pause(uint32_t *turn);

static inline void ccprof_spin_release(ccprof_spin *flag)
{
    atomic_store_explicit(flag, 0, memory_order_release);
}

/* A section of code in which all signals are blocked in the calling thread. If the
   section writes to files, the signals that its writes raise (SIGPIPE, SIGXFSZ) are
   discarded at its end. Sections may be nested. In strict mode, nothing is blocked. */
struct ccprof_blocked {
    ccprof_sys_signals mask; /* the thread's mask before the section */
    bool writes;
    ccprof_sys_signals pending; /* signals that were pending before the first write */
};

void ccprof_blocked_begin(struct ccprof_blocked *blocked);

/* Declares that the section writes to files from now on. */
void ccprof_blocked_write(struct ccprof_blocked *blocked);
void ccprof_blocked_end(const struct ccprof_blocked *blocked);

#endif
