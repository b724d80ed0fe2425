/* SPDX-License-Identifier: MIT */
/* Captures whole stacks for the SIGPROF handler: the program counter that the signal
   interrupted, and the return addresses of the open calls.

   The outer part of a deep stack is captured by outer.h. */

#ifndef CCPROF_STACK_H
#define CCPROF_STACK_H

#include <stdint.h>

#include "rt/format.h"
#include "rt/os/lock.h"
#include "rt/unwind/fold.h"
#include "rt/unwind/unwind.h"

/* A stack of up to FRAMES frames is kept unfolded. Of a deeper stack, the INNER
   innermost frames are kept, and up to BETWEEN further frames before the recorded ones
   (outer.h). The outer frames are folded (fold.h), with a special address wherever
   frames were left out. */
#define CCPROF_STACK_FRAMES  1024
#define CCPROF_STACK_INNER   384
#define CCPROF_STACK_BETWEEN 128

/* AROUND: maximum number of addresses that tags.h, times.h and regions.h add to a
   stack. DEPTH: maximum number of all addresses, including one special address at the
   outer end. */
#define CCPROF_STACK_AROUND 21
#define CCPROF_STACK_DEPTH                                                               \
    (CCPROF_STACK_INNER + CCPROF_STACK_BETWEEN + 2 * CCPROF_FOLD_MOST + 1 +              \
     CCPROF_STACK_AROUND)

/* A special address for frames that were left out. */
#define CCPROF_STACK_CUT CCPROF_POINT_CUT

/* A special address for the missing frames further out, if the unwinder has failed to
   find a caller. */
#define CCPROF_STACK_BROKEN CCPROF_POINT_BROKEN

/* A special address for frames that were left out, each of which is at the same call
   as a frame further out. Each kept frame between the previous special address of
   this kind and this one is the first frame at its call, or its call is also further
   out on the stack. */
#define CCPROF_STACK_REPEATED CCPROF_POINT_REPEATED

/* Maximum number of handlers that can capture stacks at the same time. */
#define CCPROF_STACKS 64

struct ccprof_stack {
    uint32_t depth; /* at least 1 */
    /* Innermost first. Each address is the return address minus one, which is inside
       the call instruction, or the program counter where a signal arrived. */
    uint64_t address[CCPROF_STACK_DEPTH];
};

/* A stack, and memory for capturing it. */
struct ccprof_stack_work {
    struct ccprof_stack stack;
    struct ccprof_unwind unwind;
};

/* A set of stacks. Handlers use it because the machine stack on which a handler runs
   may be small. A structure of zeros has only free stacks. */
struct ccprof_stacks {
    ccprof_spin busy[CCPROF_STACKS];
    struct ccprof_stack_work work[CCPROF_STACKS];
};

/* Returns whether stacks can be captured in this program. Called by the constructor. */
bool ccprof_stack_possible(void);

/* Takes a free stack of the set, which only the caller uses until it is given back.
   Returns null if none is free. This function and all functions below are
   async-signal-safe and may be called in any thread. */
struct ccprof_stack_work *ccprof_stack_take(struct ccprof_stacks *stacks);
void ccprof_stack_give_back(struct ccprof_stacks *stacks, struct ccprof_stack_work *work);

/* Captures only the program counter. CONTEXT is the third argument of a signal
   handler. */
void ccprof_stack_bare(struct ccprof_stack_work *work, const void *context);

/* Captures only ADDRESS, which the program has stored. */
void ccprof_stack_stored(struct ccprof_stack_work *work, uint64_t address);

/* Captures the whole stack that the signal interrupted, as far as the unwinder finds
   callers. */
void ccprof_stack_capture(struct ccprof_stack_work *work, const void *context);

/* Captures the stack from a call outwards. ccprof_cpu_caller has returned PC and filled
   in REGISTERS, in any thread that has not returned from this function since. IS_OTHER:
   that is not the calling thread, and it may return meanwhile. A stack of more than
   CCPROF_STACK_FRAMES frames is cut. */
void ccprof_stack_capture_call(struct ccprof_stack_work *work, uint64_t pc,
                               const uint64_t *registers, bool is_other);

#endif
