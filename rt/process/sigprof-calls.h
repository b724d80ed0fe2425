/* SPDX-License-Identifier: MIT */
/* Replaces libc's functions by which a program takes SIGPROF for itself, waits for it or
   asks whether it is pending: each does what libc's does without the profiler.

   If the program installs a handler, sampling ends for good, since the two would get each
   other's signals.  If it sets SIGPROF to its default or ignores it, as programs do for
   all signals when they start, that holds for signals that are not the profiler's.  */

#ifndef CCPROF_SIGPROF_CALLS_H
#define CCPROF_SIGPROF_CALLS_H

#include <signal.h>
#include <time.h>

typedef void (*ccprof_sigprof_calls_handler)(int number);

int ccprof_sigprof_calls_sigaction(int number, const struct sigaction *action,
                                   struct sigaction *old);
ccprof_sigprof_calls_handler
ccprof_sigprof_calls_signal(int number, ccprof_sigprof_calls_handler handler);
ccprof_sigprof_calls_handler
ccprof_sigprof_calls_sysv_signal(int number, ccprof_sigprof_calls_handler handler);

int ccprof_sigprof_calls_sigwait(const sigset_t *set, int *number);
int ccprof_sigprof_calls_sigwaitinfo(const sigset_t *set, siginfo_t *info);
int ccprof_sigprof_calls_sigtimedwait(const sigset_t *set, siginfo_t *info,
                                      const struct timespec *timeout);

/* One of ours that is pending is taken away, and comes again with the next.  */
int ccprof_sigprof_calls_sigpending(sigset_t *set);

#endif
