/* SPDX-License-Identifier: MIT */
/* Captures the outer part of deep stacks.

   A stack that is too deep to be walked each time is captured in two parts: the inner
   part by a walk, and the outer part mostly from a record. Each thread has a record
   of the results of its walks: the frames, folded (fold.h), and a mark at every 64th
   frame. A mark is the frame's stack pointer and its return address. A later walk
   stops when it reaches a mark, and takes the rest of the stack from the record.

   The record may be wrong. Between two walks the program may have returned from outer
   frames and made other calls, so that the marked frame has the same stack pointer and
   return address by chance. Therefore each walk that reaches a mark reads the return
   addresses of all kept frames and of some marks again, and removes changed frames
   from the record. One error can remain: a frame of a recursion that the fold leaves
   out may have been replaced by a frame of another function. This frame is missing on
   the stack until the next whole walk. Whole walks are made as often as the credit
   allows.

   The credit limits the mean cost of a sample. Each sample of a deep stack adds
   CCPROF_OUTER_ALLOWANCE frames to a credit that all threads share, and the steps of
   long walks are subtracted from it. No walk is longer than CCPROF_OUTER_CREDIT.

   Owns the records of threads and the credit. Only stack.c calls these functions, in
   the SIGPROF handler; tests call take and give_back, and the child of a fork calls
   drop. */

#ifndef CCPROF_OUTER_H
#define CCPROF_OUTER_H

#include "rt/unwind/stack.h"
#include "rt/unwind/unwind.h"

/* Number of frames between two marks while there is room for all marks, and maximum
   number of marks. */
#define CCPROF_OUTER_SPACE 64
#define CCPROF_OUTER_MARKS (1 << 14)

/* Number of frames that a sample adds to the credit, and the maximum credit, which is
   also the credit at the start. */
#define CCPROF_OUTER_ALLOWANCE 256
#define CCPROF_OUTER_CREDIT    (1 << 21)

/* Maximum number of threads that have a record at the same time. */
#define CCPROF_OUTERS 16

struct ccprof_outer;

/* Takes the record of the calling thread. If all records are in use, takes over the
   record of the least recently sampled thread. Returns null if there is no memory, or
   if another handler uses that record. Async-signal-safe, in
   any thread, with all signals blocked. */
struct ccprof_outer *ccprof_outer_take(void);
void ccprof_outer_give_back(struct ccprof_outer *outer);

/* Adds UNWIND's current frame, which has the index CCPROF_STACK_INNER, and all frames
   further out to the stack. Folds them if the stack is too deep. */
void ccprof_outer_capture(struct ccprof_outer *outer, struct ccprof_unwind *unwind,
                          struct ccprof_stack *stack);

/* In the child of a fork: gives back the records that other threads had taken. */
void ccprof_outer_drop(void);

#endif
