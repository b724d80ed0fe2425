/* SPDX-License-Identifier: MIT */
/* Calls the kernel's timer functions. Owns nothing. Called when sampling of a thread
   starts, and by the SIGPROF handler. */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "rt/os/timer.h"

#define SECOND 1000000000u

/* The tick, if the kernel does not tell it. */
#define TICK_USUAL 4000000

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

uint64_t ccprof_timer_seed(void)
{
    uint64_t seed = 0;
    if (syscall(SYS_getrandom, &seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
        seed = ccprof_sys_clock(CLOCK_MONOTONIC) * 0x9e3779b97f4a7c15u >> 16;
    return seed;
}

uint64_t ccprof_timer_phase(uint64_t period)
{
    return 1 + ccprof_timer_seed() % period;
}

uint64_t ccprof_timer_tick(void)
{
    static _Atomic uint64_t known;
    struct timespec tick = {0, TICK_USUAL};

    if (known == 0) {
        syscall(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &tick);
        known = tick.tv_sec || tick.tv_nsec <= 0 ? TICK_USUAL : (uint64_t)tick.tv_nsec;
    }
    return known;
}

/* Returns the same value as pthread_getcpuclockid. The kernel documents the bits of
   this value in include/linux/posix-timers.h. */
clockid_t ccprof_timer_clock(pid_t tid)
{
    return (clockid_t)(~(unsigned)tid << 3 | 6);
}

static struct timespec timer_time(uint64_t nanoseconds)
{
    struct timespec time = {(time_t)(nanoseconds / SECOND), (long)(nanoseconds % SECOND)};
    return time;
}

int ccprof_timer_make(int *timer, clockid_t clock, int signal, pid_t tid, void *value)
{
    struct sigevent event;

    memset(&event, 0, sizeof event);
    event.sigev_notify = tid ? SIGEV_THREAD_ID : SIGEV_SIGNAL;
    event.sigev_signo = signal;
    event.sigev_value.sival_ptr = value;
    if (tid)
        event.sigev_notify_thread_id = tid;
    return syscall(SYS_timer_create, clock, &event, timer) == 0 ? 0 : errno;
}

int ccprof_timer_start(int timer, uint64_t first, uint64_t interval)
{
    struct itimerspec when = {timer_time(interval), timer_time(first)};
    if (syscall(SYS_timer_settime, timer, 0, &when, NULL) != 0) {
        int error = errno;
        ccprof_timer_delete(timer);
        return error;
    }
    return 0;
}

void ccprof_timer_in(int timer, uint64_t first, uint64_t interval)
{
    struct itimerspec when = {timer_time(interval), timer_time(first)};
    syscall(SYS_timer_settime, timer, 0, &when, NULL);
}

bool ccprof_timer_is_running(int timer)
{
    struct itimerspec when;
    return syscall(SYS_timer_gettime, timer, &when) == 0 &&
           (when.it_value.tv_sec | when.it_value.tv_nsec) != 0;
}

void ccprof_timer_delete(int timer)
{
    syscall(SYS_timer_delete, timer);
}
