/* SPDX-License-Identifier: MIT */
/* Checks calls that concern SIGPROF or change a signal's action, and passes all other
   calls on.  Owns nothing.
   Called wherever the program calls these functions.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "rt/process/sigprof-calls.h"
#include "rt/os/libc.h"
#include "rt/os/sys.h"
#include "rt/sample/sampler.h"
#include "rt/process/exit.h"
#include "rt/process/handler.h"

#define SECOND 1000000000u

int ccprof_sigprof_calls_sigaction(int number, const struct sigaction *action,
                                   struct sigaction *old)
{
    if (number == SIGPROF && ccprof_handler_program(action, old))
        return 0;
    return ccprof_exit_sigaction(number, action, old);
}

/* LIBC is libc's function, for other signals.  */
static ccprof_sigprof_calls_handler sigprof_calls_signal(
    int number, ccprof_sigprof_calls_handler handler,
    ccprof_sigprof_calls_handler (*libc)(int, ccprof_sigprof_calls_handler))
{
    struct sigaction action, old;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    if (number == SIGPROF && ccprof_handler_program(&action, &old))
        return old.sa_handler;
    /* What a handler of the program is installed with depends on the function.  */
    if (handler == SIG_DFL)
        return ccprof_exit_sigaction(number, &action, &old) == 0 ? old.sa_handler
                                                                 : SIG_ERR;
    return ccprof_exit_shown(libc(number, handler));
}

ccprof_sigprof_calls_handler
ccprof_sigprof_calls_signal(int number, ccprof_sigprof_calls_handler handler)
{
    return sigprof_calls_signal(number, handler, ccprof_libc.signal);
}

ccprof_sigprof_calls_handler
ccprof_sigprof_calls_sysv_signal(int number, ccprof_sigprof_calls_handler handler)
{
    return sigprof_calls_signal(number, handler, ccprof_libc.sysv_signal);
}

/* Waits until the time UNTIL of CLOCK_MONOTONIC in nanoseconds; UNTIL 0 is no bound.  */
static int sigprof_calls_wait(const sigset_t *set, siginfo_t *info, uint64_t until)
{
    uint64_t now = until ? ccprof_sys_clock(CLOCK_MONOTONIC) : 0;
    uint64_t left = until > now ? until - now : 0;
    struct timespec timeout = {(time_t)(left / SECOND), (long)(left % SECOND)};

    return ccprof_libc.sigtimedwait(set, info, until ? &timeout : NULL);
}

static int sigprof_calls_wait_for_others(const sigset_t *set, siginfo_t *info,
                                         uint64_t until)
{
    siginfo_t own;
    int number;

    if (!info)
        info = &own;
    do
        number = sigprof_calls_wait(set, info, until);
    while (number == SIGPROF && ccprof_sampler_is_ours(info));
    return number;
}

int ccprof_sigprof_calls_sigwait(const sigset_t *set, int *number)
{
    int saved = errno, error = 0, got;

    do
        got = sigprof_calls_wait_for_others(set, NULL, 0);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        error = errno;
    else
        *number = got;
    errno = saved;
    return error;
}

int ccprof_sigprof_calls_sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
    return sigprof_calls_wait_for_others(set, info, 0);
}

int ccprof_sigprof_calls_sigtimedwait(const sigset_t *set, siginfo_t *info,
                                      const struct timespec *timeout)
{
    uint64_t until = 0;

    /* libc reports a wrong timeout.  */
    if (timeout && (timeout->tv_sec < 0 || timeout->tv_nsec < 0 ||
                    (unsigned long)timeout->tv_nsec >= SECOND))
        return ccprof_libc.sigtimedwait(set, info, timeout);
    if (timeout && timeout->tv_sec < INT32_MAX)
        until = ccprof_sys_clock(CLOCK_MONOTONIC) + (uint64_t)timeout->tv_sec * SECOND +
                (uint64_t)timeout->tv_nsec;
    return sigprof_calls_wait_for_others(set, info, until);
}

/* Takes all pending SIGPROF; there may be several, since those of timers are pending
   beside others.  Returns whether one of them is not ours, and puts it into *INFO.  */
static bool sigprof_calls_fetch(siginfo_t *info)
{
    static const struct timespec now;
    ccprof_sys_signals only = CCPROF_SYS_SIGNAL(SIGPROF);
    siginfo_t one;
    bool other = false;

    while (syscall(SYS_rt_sigtimedwait, &only, &one, &now, sizeof only) == SIGPROF) {
        if (ccprof_sampler_is_ours(&one))
            continue;
        *info = one;
        other = true;
    }
    return other;
}

/* Sends the signal to this thread, where it is pending whether it was sent to the thread
   or to the process.  */
static void sigprof_calls_put_back(siginfo_t *info)
{
    syscall(SYS_rt_tgsigqueueinfo, ccprof_sys_getpid(), ccprof_sys_gettid(), SIGPROF,
            info);
}

int ccprof_sigprof_calls_sigpending(sigset_t *set)
{
    siginfo_t info;
    int saved = errno;

    if (syscall(SYS_rt_sigpending, set, sizeof(ccprof_sys_signals)) != 0)
        return -1;
    if (sigismember(set, SIGPROF) != 1 || !ccprof_handler_is_installed())
        return 0;
    if (sigprof_calls_fetch(&info))
        sigprof_calls_put_back(&info);
    else
        sigdelset(set, SIGPROF);
    errno = saved;
    return 0;
}
