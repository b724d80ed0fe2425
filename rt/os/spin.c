/* SPDX-License-Identifier: MIT */
/* Waits for flags.  Owns nothing.  Any thread, handlers included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <time.h>

#include "rt/os/spin.h"
#include "rt/os/strict.h"
#include "rt/os/sys.h"

/* Tries before other threads are let run, and between two looks at the clock.  */
#define SPIN_TRIES 100

static bool spin_try(ccprof_spin *flag)
{
    for (int i = 0; i < SPIN_TRIES; i++)
        if (ccprof_spin_try_once(flag))
            return true;
    return false;
}

bool ccprof_spin_wait(ccprof_spin *flag, uint64_t patience)
{
    int saved = errno;

    if (spin_try(flag))
        return true;
    if (ccprof_strict)
        return false;
    const uint64_t until = ccprof_sys_clock(CLOCK_MONOTONIC) + patience;
    bool taken;
    do {
        ccprof_sys_yield();
        taken = spin_try(flag);
    } while (!taken && ccprof_sys_clock(CLOCK_MONOTONIC) < until);
    errno = saved;
    return taken;
}
