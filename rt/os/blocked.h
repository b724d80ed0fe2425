/* SPDX-License-Identifier: MIT */
/* Blocks all signals in the calling thread for a section of the runtime's code, and takes
   away those that the runtime's own writes have caused there (SIGPIPE, SIGXFSZ).
   Async-signal-safe; may be nested.  */

#ifndef CCPROF_BLOCKED_H
#define CCPROF_BLOCKED_H

#include "rt/os/sys.h"

struct ccprof_blocked {
    ccprof_sys_signals mask;    /* of the thread before */
    ccprof_sys_signals pending; /* before */
};

void ccprof_blocked_begin(struct ccprof_blocked *blocked);
void ccprof_blocked_end(const struct ccprof_blocked *blocked);

#endif
