/* SPDX-License-Identifier: MIT */
/* Keeps the stacks that the table of samples has no room for, with their counts: the
   overflow log.  It has several shards, so that a thread which the scheduler stops while
   it holds one leaves the others to the rest; the first one is used as long as there is
   no such need.  A shard is a buffer of fixed size, emptied into a file without a name
   (overflow-file.h) when it is full; the file is opened only then.  A stack is written as
   far as it differs from the one before it.  */

#ifndef CCPROF_OVERFLOW_H
#define CCPROF_OVERFLOW_H

#include <stdint.h>

#include "rt/os/spin.h"
#include "rt/os/overflow-file.h"
#include "rt/unwind/stack.h"

#define CCPROF_OVERFLOW_WORDS  4096
#define CCPROF_OVERFLOW_SHARDS 8

struct ccprof_overflow_shard {
    ccprof_spin busy;
    bool frozen;
    struct ccprof_overflow_file file;
    uint64_t filed;                    /* words in the file */
    uint64_t filed_sum;                /* the counts there added up */
    uint32_t used;                     /* words in the buffer */
    uint32_t depth;                    /* of the last stack in the buffer */
    uint64_t last[CCPROF_STACK_DEPTH]; /* outermost first */
    uint64_t next[CCPROF_STACK_DEPTH]; /* innermost first, to be added */
    uint64_t word[CCPROF_OVERFLOW_WORDS];
};

/* All zeros is an empty overflow log without files.  */
struct ccprof_overflow {
    _Atomic bool used;   /* something has been added: before, the shards need no look */
    _Atomic bool closed; /* while it is not used, it stays so */
    struct ccprof_overflow_shard shard[CCPROF_OVERFLOW_SHARDS];
};

/* A program point on its way into the data file, in preorder; depth 0 is a root.
   COUNT may be 0.  Returns nonzero to stop.  */
typedef int ccprof_visit(void *context, unsigned depth, uint64_t address, uint64_t count);

/* To add a stack: begin returns a shard, or null if all are busy; its NEXT is to be
   filled with the addresses, innermost first; then end must follow, with how many they
   are and how many samples are added there.  It returns how many were lost because of
   it: these, or others that could not be written.  Async-signal-safe, any thread.  */
struct ccprof_overflow_shard *ccprof_overflow_begin(struct ccprof_overflow *overflow);
uint64_t ccprof_overflow_end(struct ccprof_overflow_shard *shard, uint32_t depth,
                             uint64_t count);

/* No add succeeds any more, and nothing changes until the overflow log is closed or
   thawed.  */
void ccprof_overflow_freeze(struct ccprof_overflow *overflow);

/* Visits the stacks of a frozen overflow log, until it is told to stop.  Returns what
   VISIT returned, or -1 with errno set if a file cannot be read.  */
int ccprof_overflow_each(struct ccprof_overflow *overflow, ccprof_visit *visit,
                         void *context);

/* Takes the samples of a data set (scope.h), or of all, out of a frozen overflow log;
   returns how many they were.  */
uint64_t ccprof_overflow_take(struct ccprof_overflow *overflow, uint64_t dataset);

/* A frozen overflow log is as it was before.  */
void ccprof_overflow_thaw(struct ccprof_overflow *overflow);

/* Closes the files and empties the overflow log.  Nobody else may be using it.  */
void ccprof_overflow_close(struct ccprof_overflow *overflow);

#endif
