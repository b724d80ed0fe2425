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

/* Turns in which a thread only yields, and nanoseconds that it sleeps at least and at
   most in those behind them.  */
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
