/* SPDX-License-Identifier: MIT */
/* Implements the lock for all modules that share data between threads.  Owns nothing.
   Any thread may call this, handlers included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>

#include "rt/os/lock.h"
#include "rt/os/strict.h"
#include "rt/os/sys.h"

#define LOCK_SECOND 1000000000u

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

/* Sleeps until the lock is released, but no longer than to the time UNTIL.  Returns false
   if UNTIL has passed.  */
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

/* A thread that may make no system calls could not wake others either.  */
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
