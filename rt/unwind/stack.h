/* SPDX-License-Identifier: MIT */
/* Captures whole stacks for the SIGPROF handler: the program counter that the signal
   interrupted, and the calls that led there.

   A stack that is too deep to be walked each time is captured in two parts, the inner
   part by a walk and the outer part mostly from memory.  The memory of a thread holds
   what its walks have found: the frames, folded (fold.h), and at every 64th frame a mark,
   which is the frame's stack pointer and its return address.  A later walk stops where it
   meets a mark, and takes the rest of the stack from memory.

   The memory may be wrong: between two walks the program may have returned from outer
   frames and made other calls, so that the marked frame has the same stack pointer and
   return address by chance.  So each walk that meets a mark reads again the return
   addresses of all kept frames and of some marks, and forgets what has changed.  One
   error can remain.  A frame of a recursion that the fold leaves out may have been
   replaced by a frame of another function; this frame is missing on the stack until the
   next whole walk.  Whole walks are made as often as the credit allows.

   Each sample of a deep stack adds CCPROF_OUTER_ALLOWANCE frames to a credit that all
   threads share, and the steps of long walks are paid from this credit.  So the mean cost
   of a sample has a bound.  No walk is longer than CCPROF_OUTER_CREDIT.  */

#ifndef CCPROF_STACK_H
#define CCPROF_STACK_H

#include <stdint.h>

#include "rt/format.h"
#include "rt/os/lock.h"
#include "rt/unwind/fold.h"
#include "rt/unwind/unwind.h"

/* A stack of up to FRAMES frames is kept unfolded.  Of a deeper stack, the INNER
   innermost frames are kept, and up to BETWEEN further frames that come before the
   remembered ones (see above).  The outer frames are folded (fold.h), with a special
   address at each place where frames were left out.  */
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

/* Frames between two marks, while there is room for all marks.  */
#define CCPROF_OUTER_SPACE 64
#define CCPROF_OUTER_MARKS (1 << 14)

/* Frames that a sample adds to the credit, and the most credit, which is there at the
   start.  */
#define CCPROF_OUTER_ALLOWANCE 256
#define CCPROF_OUTER_CREDIT    (1 << 21)

/* Threads whose deep stacks are remembered at the same time.  */
#define CCPROF_OUTERS 16

struct ccprof_outer;

/* Takes the memory of the calling thread.  If there is no room for another thread, takes
   over the memory of the thread that was sampled the longest time ago.  Returns null if
   there is no memory, or if another handler uses this one.  For stack.c and tests;
   async-signal-safe, in any thread, with all signals blocked.  */
struct ccprof_outer *ccprof_outer_take(void);
void ccprof_outer_give_back(struct ccprof_outer *outer);

/* In the child of a fork: gives back the memory that other threads had taken.  */
void ccprof_outer_drop(void);

#endif
