/* SPDX-License-Identifier: MIT */
/* Replaces libc's functions by which a program handles SIGPROF, waits for it, or asks
   whether it is pending.  Each replacement does what libc's function would do without the
   profiler.

   If the program installs a handler, sampling ends for good, since the program and the
   profiler would get each other's signals.  If the program sets SIGPROF to its default or
   ignores it, as programs do for all signals when they start, this has an effect only on
   signals that are not the profiler's.

   The handler of a signal that would end the program (exit.h) stands for the default
   action of that signal.  */

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

/* Takes a pending signal of ours away; the next one will stand for its samples, too.  */
int ccprof_sigprof_calls_sigpending(sigset_t *set);

#endif
