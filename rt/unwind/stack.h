/* SPDX-License-Identifier: MIT */
/* Captures whole stacks for the SIGPROF handler: the program counter that the signal
   interrupted, and the calls that led there.  */

#ifndef CCPROF_STACK_H
#define CCPROF_STACK_H

#include <stdint.h>

#include "rt/format.h"
#include "rt/os/lock.h"
#include "rt/unwind/fold.h"
#include "rt/unwind/unwind.h"

/* A stack of up to FRAMES frames is kept unfolded.  Of a deeper stack, the INNER
   innermost frames are kept, and up to BETWEEN further frames that come before what is
   remembered (outer.h).  The outer frames are folded (fold.h), with a special address at
   each place where frames were left out.  */
#define CCPROF_STACK_FRAMES  1024
#define CCPROF_STACK_INNER   384
#define CCPROF_STACK_BETWEEN 128

/* AROUND: the addresses that scope.h, times.h and regions.h put around the stack and into
   it. DEPTH: all addresses, with one special address at the outer end.  */
#define CCPROF_STACK_AROUND 20
#define CCPROF_STACK_DEPTH                                                               \
    (CCPROF_STACK_INNER + CCPROF_STACK_BETWEEN + 2 * CCPROF_FOLD_MOST + 1 +              \
     CCPROF_STACK_AROUND)

/* A special address for frames that were left out.  */
#define CCPROF_STACK_CUT CCPROF_POINT_CUT

/* A special address for the frames outside of a frame from which the unwinder finds no
   caller.  */
#define CCPROF_STACK_BROKEN CCPROF_POINT_BROKEN

/* A special address for frames left out, each of which is at the same call as a frame
   further out.  Every kept frame from the last such address to this one is at a call that
   is on the stack further out, too, or is the first frame at its call.  */
#define CCPROF_STACK_REPEATED CCPROF_POINT_REPEATED

/* Handlers that can capture stacks at the same time.  */
#define CCPROF_STACKS 64

struct ccprof_stack {
    uint32_t depth; /* 1 or more */
    /* Innermost first.  Each address is the return address minus one, which lies in the
       call, or the program counter where a signal came.  */
    uint64_t address[CCPROF_STACK_DEPTH];
};

/* A stack, and room to capture it.  */
struct ccprof_stack_work {
    struct ccprof_stack stack;
    struct ccprof_unwind unwind;
};

/* A set of stacks, since the stack that a handler runs on may be small.  All zeros is a
   set of free ones.  */
struct ccprof_stacks {
    ccprof_spin busy[CCPROF_STACKS];
    struct ccprof_stack_work work[CCPROF_STACKS];
};

/* Returns whether stacks can be captured in this program.  Constructor.  */
bool ccprof_stack_possible(void);

/* Takes a free stack of the set, for the caller alone until it is given back; returns
   null if none is free.  This function and all that follow are async-signal-safe, in any
   thread.  */
struct ccprof_stack_work *ccprof_stack_take(struct ccprof_stacks *stacks);
void ccprof_stack_give_back(struct ccprof_stacks *stacks, struct ccprof_stack_work *work);

/* Captures the program counter alone.  CONTEXT is the third argument of a signal
   handler.  */
void ccprof_stack_bare(struct ccprof_stack_work *work, const void *context);

/* Captures ADDRESS alone, which the program has stored.  */
void ccprof_stack_stored(struct ccprof_stack_work *work, uint64_t address);

/* Captures the whole stack that the signal interrupted, as far as the unwinder finds
   callers.  */
void ccprof_stack_capture(struct ccprof_stack_work *work, const void *context);

#endif
