/* SPDX-License-Identifier: MIT */
/* Tells whether a debugger or the like traces the process.  */

#ifndef CCPROF_TRACED_H
#define CCPROF_TRACED_H

#include <stdbool.h>

/* Returns whether another process traces the calling thread, ptrace(2); false without
   /proc.  Async-signal-safe; leaves errno alone.  */
bool ccprof_traced(void);

#endif
