/* SPDX-License-Identifier: MIT */
/* Installs a handler with libc's own sigaction. Owns nothing. Called by the
   constructor, and when the program changes a signal's action. */

#define _GNU_SOURCE
#include <string.h>

#include "rt/os/libc.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"

bool ccprof_signals_change(int number, ccprof_signals_handler *handler,
                           struct sigaction *before)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    ccprof_sys_fill(&action.sa_mask);
    return ccprof_libc.sigaction(number, &action, before) == 0;
}

bool ccprof_signals_set(int number, ccprof_signals_handler *handler)
{
    return ccprof_signals_change(number, handler, NULL);
}

bool ccprof_signals_are_default(const struct sigaction *action)
{
    return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
}

bool ccprof_signals_take(int number, ccprof_signals_handler *handler)
{
    struct sigaction now;

    return ccprof_libc.sigaction(number, NULL, &now) == 0 &&
           ccprof_signals_are_default(&now) && ccprof_signals_set(number, handler);
}

/* Installs the handler first. If the previous action was not the default one,
   restores it. Between these two steps, a signal to this thread stays pending, or is
   lost if the program ignores it. In a program with several threads, another thread
   would run the handler. */
bool ccprof_signals_take_blocked(int number, ccprof_signals_handler *handler)
{
    struct sigaction before;

    if (!ccprof_tasks_alone())
        return ccprof_signals_take(number, handler);
    if (!ccprof_signals_change(number, handler, &before))
        return false;
    if (ccprof_signals_are_default(&before))
        return true;
    ccprof_libc.sigaction(number, &before, NULL);
    return false;
}
