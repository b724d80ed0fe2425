/* SPDX-License-Identifier: MIT */
/* The replacements of libc's functions that take a set of signals for a descriptor or
   for the duration of a wait. Owns the flag that a descriptor returns all signals.
   Runs when the program calls these functions.

   The waits are bare system calls between two changes of the cancellation type, as
   libc's are, since a static program has no second name for libc's functions. */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "rt/os/sys.h"
#include "rt/format.h"
#include "rt/process/request.h"
#include "rt/process/sigprof.h"
#include "rt/entry/hooks.h"

#define PROF    CCPROF_SYS_SIGNAL(SIGPROF)
#define REQUEST CCPROF_SYS_SIGNAL(CCPROF_REQUEST_SIGNAL)

/* Signals that a program only chooses together with all others. */
#define SELDOM (CCPROF_SYS_SIGNAL(SIGSTKFLT) | CCPROF_SYS_SIGNAL(SIGPWR))

static _Atomic bool reads_all_signals;

/* The kernel's set is at the start of libc's. */
static ccprof_sys_signals masks_of(const sigset_t *set)
{
    ccprof_sys_signals bits;

    memcpy(&bits, set, sizeof bits);
    return bits;
}

void ccprof_hooks_before_wait(void)
{
    if (atomic_load_explicit(&reads_all_signals, memory_order_relaxed))
        ccprof_handler_take_blocked();
}

int ccprof_hooks_signalfd(int fd, const sigset_t *set, int flags)
{
    ccprof_sys_signals bits = set ? masks_of(set) : 0;

    if ((bits & SELDOM) == SELDOM) {
        if ((bits & PROF) && ccprof_handler_is_installed()) {
            atomic_store(&reads_all_signals, true);
            bits &= ~PROF;
        }
        if (ccprof_request_is_installed())
            bits &= ~REQUEST;
    } else {
        if ((bits & PROF) && ccprof_handler_is_installed())
            ccprof_handler_give_up();
        if (bits & REQUEST)
            ccprof_request_give_up();
    }
    return (int)syscall(SYS_signalfd4, fd, set ? &bits : NULL, sizeof bits, flags);
}

/* Returns the address of the mask for a wait, in *COPY or null. */
static ccprof_sys_signals *masks_for_wait(const sigset_t *mask, ccprof_sys_signals *copy)
{
    ccprof_hooks_before_wait();
    if (!mask)
        return NULL;
    *copy = masks_of(mask);
    if (!(*copy & PROF) && ccprof_handler_take_blocked())
        *copy |= PROF;
    return copy;
}

/* Makes a system call that is a point of cancellation. */
static int masks_wait(long number, long a, long b, long c, long d, long e, long f)
{
    int type;

    ccprof_last_call = (struct ccprof_last_call){number, {(uint64_t)a, (uint64_t)b}};
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    long result = syscall(number, a, b, c, d, e, f);
    pthread_setcanceltype(type, NULL);
    return (int)result;
}

int ccprof_hooks_sigsuspend(const sigset_t *mask)
{
    ccprof_sys_signals copy, *set = masks_for_wait(mask, &copy);

    return masks_wait(SYS_rt_sigsuspend, (long)set, sizeof *set, 0, 0, 0, 0);
}

int ccprof_hooks_sigpause(int number)
{
    sigset_t set;

    if (sigprocmask(SIG_BLOCK, NULL, &set) != 0 || sigdelset(&set, number) != 0)
        return -1;
    return ccprof_hooks_sigsuspend(&set);
}

/* In this and the following functions, the kernel would change the program's TIMEOUT. */
int ccprof_hooks_ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout,
                       const sigset_t *mask)
{
    ccprof_sys_signals copy, *set = masks_for_wait(mask, &copy);
    struct timespec time = timeout ? *timeout : (struct timespec){0, 0};

    return masks_wait(SYS_ppoll, (long)files, (long)count, timeout ? (long)&time : 0,
                      (long)set, sizeof *set, 0);
}

void __chk_fail(void) __attribute__((noreturn));

int ccprof_hooks_ppoll_checked(struct pollfd *files, nfds_t count,
                               const struct timespec *timeout, const sigset_t *mask,
                               size_t size)
{
    if (size / sizeof *files < count)
        __chk_fail();
    return ccprof_hooks_ppoll(files, count, timeout, mask);
}

int ccprof_hooks_pselect(int count, fd_set *readable, fd_set *writable,
                         fd_set *exceptional, const struct timespec *timeout,
                         const sigset_t *mask)
{
    ccprof_sys_signals copy, *set = masks_for_wait(mask, &copy);
    struct timespec time = timeout ? *timeout : (struct timespec){0, 0};
    const struct {
        ccprof_sys_signals *set;
        size_t size;
    } last = {set, sizeof *set};

    return masks_wait(SYS_pselect6, count, (long)readable, (long)writable,
                      (long)exceptional, timeout ? (long)&time : 0, (long)&last);
}

int ccprof_hooks_epoll_pwait(int fd, struct epoll_event *events, int most, int timeout,
                             const sigset_t *mask)
{
    ccprof_sys_signals copy, *set = masks_for_wait(mask, &copy);

    return masks_wait(SYS_epoll_pwait, fd, (long)events, most, timeout, (long)set,
                      sizeof *set);
}

int ccprof_hooks_epoll_pwait2(int fd, struct epoll_event *events, int most,
                              const struct timespec *timeout, const sigset_t *mask)
{
    ccprof_sys_signals copy, *set = masks_for_wait(mask, &copy);

    return masks_wait(SYS_epoll_pwait2, fd, (long)events, most, (long)timeout, (long)set,
                      sizeof *set);
}
