/* SPDX-License-Identifier: MIT */
/* Blocks all signals in the calling thread for a section of the runtime's code, and,
   where the section says that it writes, takes away those that this has caused (SIGPIPE,
   SIGXFSZ).  Async-signal-safe; may be nested.  */

#ifndef CCPROF_BLOCKED_H
#define CCPROF_BLOCKED_H

#include <stdbool.h>

#include "rt/os/sys.h"

struct ccprof_blocked {
    ccprof_sys_signals mask; /* of the thread before */
    bool writes;
    ccprof_sys_signals pending; /* before it wrote */
};

void ccprof_blocked_begin(struct ccprof_blocked *blocked);

/* From now on the section writes to files.  */
void ccprof_blocked_write(struct ccprof_blocked *blocked);
void ccprof_blocked_end(const struct ccprof_blocked *blocked);

#endif
