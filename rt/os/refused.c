/* SPDX-License-Identifier: MIT */
/* Tries system calls.  Owns nothing.  Called where the run ends, in any thread, handlers
   included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>

#include "rt/os/refused.h"
#include "rt/os/sys.h"

/* One bit for each name in CCPROF_REFUSED_NAMES of rt/format.h, in the same order.  */
enum {
    REFUSED_CLOCK = 1,
    REFUSED_THREAD = 2,
    REFUSED_EVENT = 4,
    REFUSED_FCNTL = 8,
    REFUSED_IOCTL = 16,
    REFUSED_CREATE = 32,
    REFUSED_SETTIME = 64
};

static unsigned refused_unless(int expected, unsigned bit)
{
    return errno == expected ? 0 : bit;
}

/* The first two calls are harmless.  Each other call has an argument that the kernel
   answers with an error of its own, so another error comes from a filter.  Pointers are
   valid nevertheless: valgrind, in which the program may run, reads the memory before the
   kernel does.  */
unsigned ccprof_refused(void)
{
    const struct itimerspec never = {{0, 0}, {0, 0}};
    const struct perf_event_attr event = {.size = sizeof event};
    struct timespec now;
    unsigned refused = 0;
    int saved = errno, timer;

    if (syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now) != 0)
        refused |= REFUSED_CLOCK;
    if (ccprof_sys_gettid() < 0)
        refused |= REFUSED_THREAD;
    syscall(SYS_perf_event_open, &event, 0, -1, -1, ~0ul); /* no flags have these bits */
    refused |= refused_unless(EINVAL, REFUSED_EVENT);
    ccprof_sys_fcntl(-1, F_GETFD, 0);
    refused |= refused_unless(EBADF, REFUSED_FCNTL);
    syscall(SYS_ioctl, -1, 0, 0);
    refused |= refused_unless(EBADF, REFUSED_IOCTL);
    syscall(SYS_timer_create, 1000, NULL, &timer);
    refused |= refused_unless(EINVAL, REFUSED_CREATE);
    syscall(SYS_timer_settime, -1, 0, &never, NULL);
    refused |= refused_unless(EINVAL, REFUSED_SETTIME);
    errno = saved;
    return refused;
}

/* Without the perf event, samples need timers.  */
bool ccprof_refused_samples(unsigned refused, bool wall)
{
    bool event = refused & (REFUSED_EVENT | REFUSED_FCNTL | REFUSED_IOCTL);
    bool timers = refused & (REFUSED_CREATE | REFUSED_SETTIME);

    return (refused & (REFUSED_CLOCK | REFUSED_THREAD)) || (timers && (wall || event));
}
