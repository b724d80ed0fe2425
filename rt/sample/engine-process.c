/* SPDX-License-Identifier: MIT */
/* Runs one POSIX timer on the CPU time of the whole process.  The kernel looks at it at
   its tick only, so that one signal may stand for several periods: it says for how many
   in si_overrun.  (Unlike that of setitimer, the timer ends with exec; else it would kill
   the program that follows.)

   Owns the timer.  start: constructor, child of a fork; stop: any thread;
   take: the handler.  */

#define _GNU_SOURCE
#include <errno.h>

#include "rt/os/timer.h"
#include "rt/sample/engine.h"

static int process_timer;

int ccprof_engine_process_start(uint64_t period)
{
    int error =
        ccprof_timer_make(&process_timer, CLOCK_PROCESS_CPUTIME_ID, 0, &process_timer);
    if (error)
        return error;
    return ccprof_timer_start(process_timer, ccprof_timer_phase(period), period);
}

void ccprof_engine_process_stop(void)
{
    ccprof_timer_delete(process_timer);
}

uint64_t ccprof_engine_process_take(const siginfo_t *info)
{
    if (info->si_code != SI_TIMER || info->si_value.sival_ptr != &process_timer)
        return 0;
    return 1 + (uint64_t)info->si_overrun;
}
