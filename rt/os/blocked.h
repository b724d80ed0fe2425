/* SPDX-License-Identifier: MIT */
/* Blocks all signals in the calling thread while a section of the runtime's code runs.
   If the section writes to files, the signals that its writes raise (SIGPIPE, SIGXFSZ)
   are discarded at its end.  Async-signal-safe; sections may be nested.  */

#ifndef CCPROF_BLOCKED_H
#define CCPROF_BLOCKED_H

#include <stdbool.h>

#include "rt/os/sys.h"

/* In a thread that may make no system calls (strict.h), nothing is blocked.  */
struct ccprof_blocked {
    ccprof_sys_signals mask; /* the thread's mask before the section */
    bool writes;
    ccprof_sys_signals pending; /* signals that were pending before the first write */
};

void ccprof_blocked_begin(struct ccprof_blocked *blocked);

/* Tells that the section writes to files from now on.  */
void ccprof_blocked_write(struct ccprof_blocked *blocked);
void ccprof_blocked_end(const struct ccprof_blocked *blocked);

#endif
