/* SPDX-License-Identifier: MIT */
/* Owns the handler of the signal.  install: constructor.  */

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "gate.h"
#include "say.h"
#include "sys.h"
#include "toggle.h"

static void toggle_handler(int number)
{
    int saved = errno;
    (void)number;
    if (ccprof_gate_is_open())
        ccprof_gate_close();
    else
        ccprof_gate_open();
    errno = saved;
}

void ccprof_toggle_install(int number)
{
    struct sigaction action;

    if (sigaction(number, NULL, &action) != 0 || (action.sa_flags & SA_SIGINFO) ||
        action.sa_handler != SIG_DFL) {
        ccprof_say("SIG", sigabbrev_np(number), " is in use: it does not stop sampling",
                   NULL);
        return;
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = toggle_handler;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    ccprof_sys_fill(&action.sa_mask);
    sigaction(number, &action, NULL);
}
