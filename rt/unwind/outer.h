/* SPDX-License-Identifier: MIT */
/* The outer part of stacks that are too deep to be walked each time.  What a walk has
   found is remembered for the thread: folded (fold.h), and with marks, a frame's address
   and its return address at every 64th frame.  A later walk goes on only until it meets a
   mark, and takes the rest from what is remembered.

   It may be wrong: between the two walks the program may have returned from what is
   further out, and called again so that the marked frame has the same address and return
   address, while another one further out has not.  So the return addresses of all frames
   that the fold has kept are read again each time, and those of some marks; what is not
   as it was is forgotten.  What stays unseen is a frame of a recursion, left out in the
   fold, in whose place another function stands, which is then missing on the stack, until
   a whole walk is made again: one is made wherever there is credit for it.

   Whole walks are paid for: each sample of such a stack adds CCPROF_OUTER_ALLOWANCE
   frames to a credit that all threads share, so that the mean sample has a bound; and no
   walk is longer than CCPROF_OUTER_CREDIT.  */

#ifndef CCPROF_OUTER_H
#define CCPROF_OUTER_H

#include "rt/unwind/fold.h"
#include "rt/unwind/stack.h"

/* Frames between marks, as long as there is room for all marks.  */
#define CCPROF_OUTER_SPACE 64
#define CCPROF_OUTER_MARKS (1 << 14)

/* Frames that are walked anew beside those of every sample: per sample, and at the
   beginning and at most.  */
#define CCPROF_OUTER_ALLOWANCE 256
#define CCPROF_OUTER_CREDIT    (1 << 21)

/* Threads with deep stacks at the same time.  */
#define CCPROF_OUTERS 16

struct ccprof_outer;

/* What is remembered for the calling thread, of another one that has not been sampled for
   the longest time if there is no room; null if there is no memory, or others have it.
   Async-signal-safe, any thread, as all that follows; with all signals blocked.  */
struct ccprof_outer *ccprof_outer_take(void);
void ccprof_outer_give_back(struct ccprof_outer *outer);

/* Adds the frame that the walk has come to, the CCPROF_STACK_INNERth, and all further out
   to the stack, folded if the stack is too deep.  */
void ccprof_outer_put(struct ccprof_outer *outer, struct ccprof_unwind *unwind,
                      struct ccprof_stack *stack);

/* In the child of a fork: other threads may have had some.  */
void ccprof_outer_drop(void);

#endif
