/* SPDX-License-Identifier: MIT */
/* Tells whether the kernel's tick that brought a signal found the thread in the kernel.
   The program counter alone does not say it: at a page fault it is in the program, and
   behind a system call the thread may be back.  The kernel counts the thread's ticks in
   user mode and in all.  */

#ifndef CCPROF_TICKS_H
#define CCPROF_TICKS_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of a thread.  All zeros is nothing.  */
struct ccprof_ticks {
    uint64_t user, all; /* time in user mode and in all at the last signal */
    int64_t unseen; /* the sum of the time in user mode; the engine subtracts from it */
    int32_t rest;   /* ticks in the kernel at which no signal was found to be there */
};

/* Returns whether the signal came in the kernel.  AT_CALL: it came at a system call.
   Async-signal-safe, in the thread itself.  */
bool ccprof_ticks_are_kernel(struct ccprof_ticks *ticks, bool at_call);

/* The same where the clocks are at USER and ALL.  */
bool ccprof_ticks_judge(struct ccprof_ticks *ticks, uint64_t user, uint64_t all,
                        bool at_call);

#endif
