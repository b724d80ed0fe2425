/* SPDX-License-Identifier: MIT */
/* A stretch in which the calling thread takes no signal, and after which the
   signals that a write of the runtime may cause (SIGPIPE, SIGXFSZ) have not
   happened.  Async-signal-safe; may be nested.  */

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
