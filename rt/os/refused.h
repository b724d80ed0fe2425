/* SPDX-License-Identifier: MIT */
/* Finds out which system calls that samples need the process may not make, by a filter of
   its own (seccomp) for example.  */

#ifndef CCPROF_REFUSED_H
#define CCPROF_REFUSED_H

#include <stdbool.h>
#include <stdint.h>

/* Asks for each of them, in a way that changes nothing.  Returns a set of bits, those of
   CCPROF_REFUSED_NAMES in their order (rt/format.h).  Async-signal-safe.  */
unsigned ccprof_refused(void);

/* Whether threads can no more be sampled where these are refused.  WALL: on that clock.
 */
bool ccprof_refused_samples(unsigned refused, bool wall);

#endif
