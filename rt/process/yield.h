/* SPDX-License-Identifier: MIT */
/* In the place of libc's functions by which a program takes SIGPROF for itself, or waits
   for it: each does what libc's does without the profiler.

   A handler of the program's ends the sampling for good, since the two would get each
   other's signals.  A default or ignored SIGPROF, as programs set for all signals when
   they start, holds for signals that are not the profiler's.  */

#ifndef CCPROF_YIELD_H
#define CCPROF_YIELD_H

#include <signal.h>
#include <time.h>

typedef void (*ccprof_yield_handler)(int number);

int ccprof_yield_sigaction(int number, const struct sigaction *action,
                           struct sigaction *old);
ccprof_yield_handler ccprof_yield_signal(int number, ccprof_yield_handler handler);
ccprof_yield_handler ccprof_yield_sysv_signal(int number, ccprof_yield_handler handler);

int ccprof_yield_sigwait(const sigset_t *set, int *number);
int ccprof_yield_sigwaitinfo(const sigset_t *set, siginfo_t *info);
int ccprof_yield_sigtimedwait(const sigset_t *set, siginfo_t *info,
                              const struct timespec *timeout);

#endif
