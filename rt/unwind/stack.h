/* SPDX-License-Identifier: MIT */
/* Captures whole stacks for the SIGPROF handler: the program counter that the signal
   interrupted, and the calls that led there.  */

#ifndef CCPROF_STACK_H
#define CCPROF_STACK_H

#include <stdint.h>

#include "rt/format.h"
#include "rt/os/spin.h"
#include "rt/unwind/fold.h"
#include "rt/unwind/unwind.h"

/* How many frames a stack may have that is kept as it is.  Of a deeper one that many of
   the innermost ones are, and up to so many more that come before what is remembered
   (outer.h); the others are folded (fold.h), with a mark at each place where frames were
   left out.  */
#define CCPROF_STACK_FRAMES  1024
#define CCPROF_STACK_INNER   384
#define CCPROF_STACK_BETWEEN 128

/* How many addresses are put around the stack and into it (scope.h, times.h); and the
   sum, with one mark for frames that are not there at the outer end.  */
#define CCPROF_STACK_AROUND 19
#define CCPROF_STACK_DEPTH                                                               \
    (CCPROF_STACK_INNER + CCPROF_STACK_BETWEEN + 2 * CCPROF_FOLD_MOST + 1 +              \
     CCPROF_STACK_AROUND)

/* Stands for frames that were left out.  */
#define CCPROF_STACK_CUT CCPROF_POINT_CUT

/* Stands for all frames around one from which there is no way to its caller.  */
#define CCPROF_STACK_BROKEN CCPROF_POINT_BROKEN

/* The same of frames each of which is at the same call as one further out: all kept
   frames from there to the mark are at calls that are on the stack further out, too, or
   are its first frame.  */
#define CCPROF_STACK_REPEATED CCPROF_POINT_REPEATED

/* Handlers that can be at work at the same time.  */
#define CCPROF_STACKS 64

struct ccprof_stack {
    uint32_t depth; /* at least 1 */
    /* Innermost first.  The program counter where a signal came, otherwise the
       return address minus one, which lies in the call.  */
    uint64_t address[CCPROF_STACK_DEPTH];
};

/* A stack and room to find it.  */
struct ccprof_stack_work {
    struct ccprof_stack stack;
    struct ccprof_unwind unwind;
};

/* Some of them, since the stack that a handler runs on may be small.  All zeros is
   a set of free ones.  */
struct ccprof_stacks {
    ccprof_spin busy[CCPROF_STACKS];
    struct ccprof_stack_work work[CCPROF_STACKS];
};

/* Whether stacks can be captured in this program.  */
bool ccprof_stack_possible(void);

/* One for the caller alone until it is given back, or null if there is none left.
   Async-signal-safe, any thread, as all that follows.  */
struct ccprof_stack_work *ccprof_stack_take(struct ccprof_stacks *stacks);
void ccprof_stack_give_back(struct ccprof_stacks *stacks, struct ccprof_stack_work *work);

/* The program counter alone.  CONTEXT is the third argument of a signal handler.  */
void ccprof_stack_bare(struct ccprof_stack_work *work, const void *context);

/* An address that the program has stored, alone.  */
void ccprof_stack_stored(struct ccprof_stack_work *work, uint64_t address);

/* The whole stack that the signal interrupted, as far as there is a way.  */
void ccprof_stack_capture(struct ccprof_stack_work *work, const void *context);

#endif
