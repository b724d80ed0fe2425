/* SPDX-License-Identifier: MIT */
/* Tells the runtime's own code from the program's: also in a program that it is linked
   into.  The bounds are rt/rt.ld's; a test that links parts of the runtime has none.  */

#ifndef CCPROF_OWN_H
#define CCPROF_OWN_H

#include <stdbool.h>
#include <stdint.h>

extern const char ccprof_own_start[] __attribute__((weak, visibility("hidden")));
extern const char ccprof_own_end[] __attribute__((weak, visibility("hidden")));

/* Whether the instruction is the runtime's.  Async-signal-safe.  */
static inline bool ccprof_own_is(uint64_t address)
{
    return address - (uintptr_t)ccprof_own_start <
           (uintptr_t)ccprof_own_end - (uintptr_t)ccprof_own_start;
}

#endif
