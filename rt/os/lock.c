/* SPDX-License-Identifier: MIT */
/* Implements locks, spin flags, and sections with blocked signals. Owns the mark of
   threads in strict mode. Any thread may call these functions, and so may signal
   handlers. */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "rt/os/lock.h"
#include "rt/os/sys.h"

#define LOCK_SECOND 1000000000u

_Thread_local volatile bool ccprof_strict;

enum { LOCK_FREE, LOCK_HELD, LOCK_WAITED_FOR };

bool ccprof_lock_try(ccprof_lock *lock)
{
    uint32_t state = LOCK_FREE;
    return atomic_compare_exchange_strong(lock, &state, LOCK_HELD);
}

void ccprof_lock_sleep(_Atomic uint32_t *word, uint32_t value, uint64_t until)
{
    struct timespec time = {(time_t)(until / LOCK_SECOND), (long)(until % LOCK_SECOND)};
    int saved = errno;

    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, until ? &time : NULL, NULL,
            FUTEX_BITSET_MATCH_ANY);
    errno = saved;
}

void ccprof_lock_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX);
}

/* Sleeps until the lock is released or the time UNTIL has passed. Returns false if
   UNTIL has passed. */
static bool lock_sleep(ccprof_lock *lock, uint64_t until)
{
    if (until && ccprof_sys_clock(CLOCK_MONOTONIC) >= until)
        return false;
    ccprof_lock_sleep(lock, LOCK_WAITED_FOR, until);
    return true;
}

static bool lock_until(ccprof_lock *lock, uint64_t until)
{
    bool good = true;

    if (ccprof_lock_try(lock))
        return true;
    while (good && atomic_exchange(lock, LOCK_WAITED_FOR) != LOCK_FREE)
        good = lock_sleep(lock, until);
    return good;
}

/* Fails in strict mode: a thread that may make no system calls could not wake other
   waiters either. */
bool ccprof_lock_wait(ccprof_lock *lock, uint64_t patience)
{
    if (ccprof_strict)
        return false;
    return lock_until(lock, ccprof_sys_clock(CLOCK_MONOTONIC) + patience);
}

void ccprof_lock_take(ccprof_lock *lock)
{
    lock_until(lock, 0);
}

void ccprof_lock_release(ccprof_lock *lock)
{
    if (atomic_exchange(lock, LOCK_FREE) == LOCK_WAITED_FOR)
        syscall(SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1);
}

/* Number of attempts before other threads may run, and between two reads of the clock. */
#define SPIN_TRIES 100

/* The number of turns in which a thread only yields. In later turns it sleeps,
   between LEAST and MOST nanoseconds. */
#define SPIN_YIELDS      20
#define SPIN_SLEEP_LEAST 50000
#define SPIN_SLEEP_MOST  1000000

void ccprof_spin_pause(uint32_t *turn)
{
    int saved = errno;

    if (*turn < SPIN_YIELDS) {
        ccprof_sys_yield();
    } else {
        const uint32_t more = *turn - SPIN_YIELDS;
        const uint64_t sleep = SPIN_SLEEP_LEAST * (UINT64_C(1) << (more < 5 ? more : 5));
        ccprof_sys_sleep(sleep < SPIN_SLEEP_MOST ? sleep : SPIN_SLEEP_MOST);
    }
    (*turn)++;
    errno = saved;
}

static bool spin_try(ccprof_spin *flag)
{
    for (int i = 0; i < SPIN_TRIES; i++)
        if (ccprof_spin_try_once(flag))
            return true;
    return false;
}

bool ccprof_spin_wait(ccprof_spin *flag, uint64_t patience)
{
    uint32_t turn = 0;

    if (spin_try(flag))
        return true;
    if (ccprof_strict)
        return false;
    const uint64_t until = ccprof_sys_clock(CLOCK_MONOTONIC) + patience;
    bool taken;
    do {
        ccprof_spin_pause(&turn);
        taken = spin_try(flag);
    } while (!taken && ccprof_sys_clock(CLOCK_MONOTONIC) < until);
    return taken;
}

/* The signals that a failing write raises. */
static const ccprof_sys_signals raised_by_writes =
    CCPROF_SYS_SIGNAL(SIGPIPE) | CCPROF_SYS_SIGNAL(SIGXFSZ);

void ccprof_blocked_begin(struct ccprof_blocked *blocked)
{
    blocked->writes = false;
    if (!ccprof_strict)
        ccprof_sys_mask(SIG_SETMASK, ~(ccprof_sys_signals)0, &blocked->mask);
}

void ccprof_blocked_write(struct ccprof_blocked *blocked)
{
    if (ccprof_strict)
        return;
    blocked->writes = true;
    blocked->pending = ccprof_sys_pending();
}

static void blocked_discard(ccprof_sys_signals before)
{
    ccprof_sys_signals caused = ccprof_sys_pending() & raised_by_writes & ~before;
    while (caused) {
        ccprof_sys_discard(caused);
        caused &= ccprof_sys_pending();
    }
}

void ccprof_blocked_end(const struct ccprof_blocked *blocked)
{
    if (blocked->writes)
        blocked_discard(blocked->pending);
    if (!ccprof_strict)
        ccprof_sys_mask(SIG_SETMASK, blocked->mask, NULL);
}
