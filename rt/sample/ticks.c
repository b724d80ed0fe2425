/* SPDX-License-Identifier: MIT */
/* Owns nothing: each thread has its ticks.  Engines whose signals come at the kernel's
   tick call are_kernel, in the SIGPROF handler.

   Where all ticks since the last signal are of one mode, so is this one.  Otherwise each
   signal adds the part of its ticks that were in the kernel to the rest, and one that is
   found to be there takes a whole signal from it: so as many are found as there were
   ticks.  A signal at a system call is found first.  */

#define _GNU_SOURCE
#include "rt/os/sys.h"
#include "rt/sample/ticks.h"

/* The calling thread's time in user mode and in all, by the kernel's ticks (linux:
   include/linux/posix-timers_types.h).  */
#define TICKS_CLOCK(kind) ((clockid_t)(~0u << 3 | 4u | (kind)))
#define TICKS_ALL         TICKS_CLOCK(0u)
#define TICKS_USER        TICKS_CLOCK(1u)

/* A whole signal.  Of several ticks, a signal at a system call needs this much of the
   rest to be found in the kernel, and one elsewhere that much.  */
#define TICKS_WHOLE     1024
#define TICKS_AT_CALL   (-2 * TICKS_WHOLE)
#define TICKS_ELSEWHERE (TICKS_WHOLE / 2)

/* Returns the part of the time since the last signal, in TICKS_WHOLE, that was in the
   kernel; negative if that is not known.  */
static int32_t ticks_part(struct ccprof_ticks *ticks, uint64_t user, uint64_t all)
{
    uint64_t before = ticks->all, passed = all - ticks->all;
    uint64_t kernel = passed - (user - ticks->user);

    ticks->user = user;
    ticks->all = all;
    if (before == 0 || passed == 0 || kernel > passed)
        return -1;
    ticks->unseen += (int64_t)(passed - kernel);
    return (int32_t)(kernel * TICKS_WHOLE / passed);
}

bool ccprof_ticks_judge(struct ccprof_ticks *ticks, uint64_t user, uint64_t all,
                        bool at_call)
{
    int32_t part = ticks_part(ticks, user, all);

    if (part < 0)
        return at_call;
    if (part == 0 || part == TICKS_WHOLE)
        return part != 0;
    ticks->rest += part;
    if (ticks->rest < (at_call ? TICKS_AT_CALL : TICKS_ELSEWHERE))
        return false;
    ticks->rest -= TICKS_WHOLE;
    return true;
}

bool ccprof_ticks_are_kernel(struct ccprof_ticks *ticks, bool at_call)
{
    uint64_t user = ccprof_sys_clock(TICKS_USER);

    return ccprof_ticks_judge(ticks, user, ccprof_sys_clock(TICKS_ALL), at_call);
}
