/* SPDX-License-Identifier: MIT */
/* The log: stacks that the table had no room for, with their counts.  It has several
   parts, so that a thread which the scheduler stops while it holds one leaves the
   others to the rest; the first is used as long as there is no such need.  A part is a
   buffer of fixed size, emptied into a file without a name when it is full; the file
   is opened only then.  A stack is written as far as it differs from the one before
   it.  */

#ifndef CCPROF_LOG_H
#define CCPROF_LOG_H

#include <stdint.h>

#include "rt/os/spin.h"
#include "rt/os/spool.h"
#include "rt/unwind/stack.h"

#define CCPROF_LOG_WORDS 4096
#define CCPROF_LOG_PARTS 8

struct ccprof_log_part {
    ccprof_spin busy;
    bool frozen;
    struct ccprof_spool spool;
    uint64_t filed;                    /* words in the file */
    uint64_t filed_sum;                /* the counts there added up */
    uint32_t used;                     /* words in the buffer */
    uint32_t depth;                    /* of the last stack in the buffer */
    uint64_t last[CCPROF_STACK_DEPTH]; /* outermost first */
    uint64_t next[CCPROF_STACK_DEPTH]; /* innermost first, to be added */
    uint64_t word[CCPROF_LOG_WORDS];
};

/* All zeros is an empty log without files.  */
struct ccprof_log {
    struct ccprof_log_part part[CCPROF_LOG_PARTS];
};

/* A program point on its way into the data file, in preorder; depth 0 is a root.
   COUNT may be 0.  Returns nonzero to stop.  */
typedef int ccprof_visit(void *context, unsigned depth, uint64_t address, uint64_t count);

/* To add a stack: begin returns a part, or null if all are busy; its NEXT is to be
   filled with the addresses, innermost first; then end must follow, with how many they
   are and how many samples are added there.  It returns how many were lost because of
   it: these, or others that could not be written.  Async-signal-safe, any thread.  */
struct ccprof_log_part *ccprof_log_begin(struct ccprof_log *log);
uint64_t ccprof_log_end(struct ccprof_log_part *part, uint32_t depth, uint64_t count);

/* No add succeeds any more, and nothing changes until the log is closed or thawed.  */
void ccprof_log_freeze(struct ccprof_log *log);

/* Visits the stacks of a frozen log, until it is told to stop.  Returns what
   VISIT returned, or -1 with errno set if a file cannot be read.  */
int ccprof_log_each(struct ccprof_log *log, ccprof_visit *visit, void *context);

/* Takes the samples of a unit (scope.h) out of a frozen log; returns how many they
   were.  */
uint64_t ccprof_log_take(struct ccprof_log *log, uint64_t unit);

/* A frozen log is as it was before.  */
void ccprof_log_thaw(struct ccprof_log *log);

/* Closes the files and empties the log.  Nobody else may be using it.  */
void ccprof_log_close(struct ccprof_log *log);

#endif
