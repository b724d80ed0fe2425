/* SPDX-License-Identifier: MIT */
/* One POSIX timer on the CPU time of the whole process.  The kernel looks at it
   at its tick only, so that one signal may stand for several periods: it says
   for how many in si_overrun.  (Unlike that of setitimer, the timer ends with
   exec; else it would kill the program that follows.)

   Owns the timer.  start: constructor, child of a fork; stop: any thread;
   weight: the handler.  */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "engine.h"
#include "sys.h"

#define SECOND 1000000000u

/* The kernel's own number; libc's timer_delete is not async-signal-safe.  */
static int timer;

/* At random in 1 to PERIOD.  */
static uint64_t process_phase(uint64_t period)
{
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
        random = ccprof_sys_clock(CLOCK_MONOTONIC) * 0x9e3779b97f4a7c15u >> 16;
    return 1 + random % period;
}

static struct timespec process_time(uint64_t nanoseconds)
{
    struct timespec time = {(time_t)(nanoseconds / SECOND), (long)(nanoseconds % SECOND)};
    return time;
}

static int process_start(unsigned rate)
{
    uint64_t period = SECOND / rate;
    struct itimerspec when = {process_time(period), process_time(process_phase(period))};
    struct sigevent event;

    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGPROF;
    event.sigev_value.sival_ptr = &timer;
    if (syscall(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0)
        return errno;
    if (syscall(SYS_timer_settime, timer, 0, &when, NULL) != 0) {
        int error = errno;
        syscall(SYS_timer_delete, timer);
        return error;
    }
    return 0;
}

static void process_stop(void)
{
    syscall(SYS_timer_delete, timer);
}

static uint64_t process_weight(const siginfo_t *info)
{
    if (info->si_code != SI_TIMER || info->si_value.sival_ptr != &timer)
        return 0;
    return 1 + (uint64_t)info->si_overrun;
}

const struct ccprof_engine ccprof_engine_process = {"process-timer", process_start,
                                                    process_stop, process_weight};
