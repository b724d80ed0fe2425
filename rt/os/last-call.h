/* SPDX-License-Identifier: MIT */
/* The last system call that the calling thread made by libc's function syscall.  On
   x86-64 no register has the call's number while the kernel works on the call.
   rt/process/strict.c, to which the program's calls of that function come, sets it.  */

#ifndef CCPROF_LAST_CALL_H
#define CCPROF_LAST_CALL_H

#include <stdint.h>

struct ccprof_last_call {
    long number;
    uint64_t argument[2]; /* the first ones */
};

extern _Thread_local struct ccprof_last_call ccprof_last_call;

/* Returns the number of the last call if it had these arguments, else -1.
   Async-signal-safe.  */
static inline int ccprof_last_call_number(const uint64_t argument[2])
{
    const struct ccprof_last_call *last = &ccprof_last_call;
    return last->argument[0] == argument[0] && last->argument[1] == argument[1]
               ? (int)last->number
               : -1;
}

#endif
