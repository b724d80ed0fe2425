/* SPDX-License-Identifier: MIT */
/* Installs a handler with libc's own sigaction.  Called by the constructor.  */

#define _GNU_SOURCE
#include <string.h>

#include "rt/os/signals.h"
#include "rt/os/libc.h"
#include "rt/os/sys.h"

bool ccprof_signals_set(int number, ccprof_signals_handler *handler)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    ccprof_sys_fill(&action.sa_mask);
    return ccprof_libc.sigaction(number, &action, NULL) == 0;
}

bool ccprof_signals_take(int number, ccprof_signals_handler *handler)
{
    struct sigaction now;

    return ccprof_libc.sigaction(number, NULL, &now) == 0 &&
           !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL &&
           ccprof_signals_set(number, handler);
}
