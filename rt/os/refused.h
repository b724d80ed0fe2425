/* SPDX-License-Identifier: MIT */
/* Finds out which of the system calls that sampling needs are forbidden to the process,
   for example by the program's own filter (seccomp).  For the writer of mlmon.out.  */

#ifndef CCPROF_REFUSED_H
#define CCPROF_REFUSED_H

#include <stdbool.h>
#include <stdint.h>

/* Tries each of these calls in a way that changes nothing.  Returns a set of bits, in the
   order of CCPROF_REFUSED_NAMES (rt/format.h).  Async-signal-safe.  */
unsigned ccprof_refused(void);

/* Returns whether threads can no longer be sampled if these calls are refused.  WALL
   tells that samples are taken on the wall clock instead of CPU clocks.  */
bool ccprof_refused_samples(unsigned refused, bool wall);

#endif
