/* SPDX-License-Identifier: MIT */
/* Installs the runtime's signal handlers.  */

#ifndef CCPROF_SIGNALS_H
#define CCPROF_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

typedef void ccprof_signals_handler(int number, siginfo_t *info, void *context);

/* Installs HANDLER, which will run with all signals blocked, on the alternate stack if
   there is one; interrupted system calls are restarted.  Returns false if the kernel
   refuses.  */
bool ccprof_signals_set(int number, ccprof_signals_handler *handler);

/* Does the same, and gives the action of before, unless BEFORE is null.
   Async-signal-safe.  */
bool ccprof_signals_change(int number, ccprof_signals_handler *handler,
                           struct sigaction *before);

/* Returns whether the action is the default one.  */
bool ccprof_signals_are_default(const struct sigaction *action);

/* Installs HANDLER as ccprof_signals_set does, but only if the signal still has its
   default action.  Otherwise the program handles or ignores the signal: nothing changes,
   and false is returned.  */
bool ccprof_signals_take(int number, ccprof_signals_handler *handler);

/* Does what ccprof_signals_take does, with a single system call in most programs.  The
   caller has blocked all signals.  */
bool ccprof_signals_take_blocked(int number, ccprof_signals_handler *handler);

#endif
