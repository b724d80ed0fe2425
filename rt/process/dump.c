/* SPDX-License-Identifier: MIT */
/* Owns the handler of the signal.  The constructor calls install.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "rt/process/dump.h"
#include "rt/os/text.h"
#include "rt/os/signals.h"
#include "rt/os/sys.h"
#include "rt/process/run.h"
#include "rt/process/write.h"

/* A child that shares its parent's memory (vfork) has nothing to write.  */
static void dump_handler(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    (void)number;
    (void)info;
    (void)context;
    if (atomic_load(&ccprof_run.owner) == ccprof_sys_getpid())
        ccprof_write_soon();
    errno = saved;
}

void ccprof_dump_install(int number)
{
    if (!ccprof_signals_take(number, dump_handler))
        ccprof_say("SIG", sigabbrev_np(number),
                   " is in use: it does not write the profile", NULL);
}
