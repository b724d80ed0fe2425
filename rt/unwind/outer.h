/* SPDX-License-Identifier: MIT */
/* Captures the outer part of stacks that are too deep to be walked each time, for
   ccprof_stack_capture.  What a walk finds is remembered for the thread: the frames,
   folded (fold.h), and at every 64th frame a mark, which is the frame's stack pointer and
   its return address.  A later walk stops where it meets a mark, and takes the rest of
   the stack from memory.

   What is remembered may be wrong: between two walks the program may have returned from
   outer frames and made other calls, so that the marked frame has the same stack pointer
   and return address by chance.  So each walk that meets a mark reads again the return
   addresses of all kept frames and of some marks, and forgets what has changed.  One
   error can remain: a frame of a recursion that the fold leaves out may have been
   replaced by a frame of another function, which is missing on the stack until the next
   whole walk.  Whole walks are made as often as the credit allows.

   Each sample of a deep stack adds CCPROF_OUTER_ALLOWANCE frames to a credit that all
   threads share, and the steps of long walks are paid from this credit: so the mean cost
   of a sample has a bound.  No walk is longer than CCPROF_OUTER_CREDIT.  */

#ifndef CCPROF_OUTER_H
#define CCPROF_OUTER_H

#include "rt/unwind/fold.h"
#include "rt/unwind/stack.h"

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

/* Takes the memory of the calling thread; if there is no room, takes over the memory of
   the thread that was sampled the longest time ago.  Returns null if there is no memory,
   or if another handler uses this one.  All functions here are async-signal-safe, in any
   thread; all signals must be blocked.  */
struct ccprof_outer *ccprof_outer_take(void);
void ccprof_outer_give_back(struct ccprof_outer *outer);

/* Adds the frame that UNWIND has reached, which is number CCPROF_STACK_INNER, and all
   frames further out to the stack; folds them if the stack is too deep.  */
void ccprof_outer_put(struct ccprof_outer *outer, struct ccprof_unwind *unwind,
                      struct ccprof_stack *stack);

/* Gives back, in the child of a fork, the memory that other threads had taken.  */
void ccprof_outer_drop(void);

#endif
