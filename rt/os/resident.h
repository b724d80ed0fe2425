/* SPDX-License-Identifier: MIT */
/* Asks the kernel how much memory the process has.  */

#ifndef CCPROF_RESIDENT_H
#define CCPROF_RESIDENT_H

#include <stdint.h>

/* Returns the bytes of the process that are in memory, 0 if the kernel does not say.
   Async-signal-safe; keeps errno.  */
uint64_t ccprof_resident(void);

#endif
