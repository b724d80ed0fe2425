/* SPDX-License-Identifier: MIT */
/* Whole stacks: the program counter at which a signal came and the calls that
   led there.  */

#ifndef CCPROF_STACK_H
#define CCPROF_STACK_H

#include "spin.h"

#include <stdint.h>

/* Frames kept, the innermost ones; and with the mark of those left out.  */
#define CCPROF_STACK_FRAMES 1024
#define CCPROF_STACK_DEPTH  (CCPROF_STACK_FRAMES + 1)

/* Stands in the place of all frames that were left out.  */
#define CCPROF_STACK_CUT 0

/* Handlers that can be at work at the same time.  */
#define CCPROF_STACKS 24

struct ccprof_stack {
    uint32_t depth; /* at least 1 */
    /* Innermost first.  The program counter where a signal came, otherwise the
       return address minus one, which lies in the call.  */
    uint64_t address[CCPROF_STACK_DEPTH];
};

/* Stacks to work on, since that of a signal handler may be small.  All zeros is
   a set of free ones.  */
struct ccprof_stacks {
    ccprof_spin busy[CCPROF_STACKS];
    struct ccprof_stack stack[CCPROF_STACKS];
};

/* Has the unwinder do what it does only once: it may allocate memory and take
   locks.  Returns false if stacks cannot be captured in this program.
   Constructor, before the first capture.  */
bool ccprof_stack_prime(void);

/* A stack for the caller alone until it is given back, or null if there is none
   left.  Async-signal-safe, any thread.  */
struct ccprof_stack *ccprof_stack_take(struct ccprof_stacks *stacks);
void ccprof_stack_give_back(struct ccprof_stacks *stacks, struct ccprof_stack *stack);

/* The program counter alone.  Async-signal-safe.  */
void ccprof_stack_bare(struct ccprof_stack *stack, uint64_t pc);

/* The whole stack of the code that the calling signal handler has interrupted at
   PC, as far as the unwinder finds its way.  Async-signal-safe.  */
void ccprof_stack_capture(struct ccprof_stack *stack, uint64_t pc);

#endif
