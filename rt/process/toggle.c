/* SPDX-License-Identifier: MIT */
/* Owns the handler of the signal.  The constructor calls install.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "rt/process/toggle.h"
#include "rt/os/text.h"
#include "rt/os/signals.h"
#include "rt/process/gate.h"

static void toggle_handler(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    (void)number;
    (void)info;
    (void)context;
    if (ccprof_gate_is_open())
        ccprof_gate_close();
    else
        ccprof_gate_open();
    errno = saved;
}

void ccprof_toggle_install(int number)
{
    if (!ccprof_signals_take(number, toggle_handler))
        ccprof_say("SIG", sigabbrev_np(number), " is in use: it does not stop sampling",
                   NULL);
}
