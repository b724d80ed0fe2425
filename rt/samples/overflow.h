/* SPDX-License-Identifier: MIT */
/* Keeps the stacks for which the table of samples has no room, with their counts: the
   overflow log, for the table.  The log has several shards, each for one thread at a
   time: a thread that the scheduler stops while it holds a shard leaves the other shards
   to other threads.  Threads that do not meet all use the first shard.  A shard is a
   buffer of fixed size.  When the buffer is full, it is written to files without a name
   (file.h), which are made only then.  Of each stack only the difference to the
   stack before it is stored.  */

#ifndef CCPROF_OVERFLOW_H
#define CCPROF_OVERFLOW_H

#include <stdint.h>

#include "rt/os/lock.h"
#include "rt/os/file.h"
#include "rt/unwind/stack.h"

#define CCPROF_OVERFLOW_WORDS  4096
#define CCPROF_OVERFLOW_SHARDS 8

struct ccprof_overflow_shard {
    ccprof_spin busy;
    bool frozen;
    struct ccprof_overflow_file file;
    uint64_t filed;                    /* words in the file */
    uint64_t filed_sum;                /* sum of the counts in the file */
    uint32_t used;                     /* words in the buffer */
    uint32_t depth;                    /* depth of the last stack in the buffer */
    uint64_t last[CCPROF_STACK_DEPTH]; /* the last stack, outermost first */
    uint64_t next[CCPROF_STACK_DEPTH]; /* the stack to be added, innermost first */
    uint64_t word[CCPROF_OVERFLOW_WORDS];
};

/* An overflow log.  All zeros is an empty one without files.  */
struct ccprof_overflow {
    /* Stacks have been added.  The shards of an unused log are not touched.  */
    _Atomic bool used;
    _Atomic bool closed; /* an unused log stays unused */
    struct ccprof_overflow_shard shard[CCPROF_OVERFLOW_SHARDS];
};

/* Receives a program point in preorder.  DEPTH 0 is a root; COUNT may be 0.  Returns
   nonzero to stop.  */
typedef int ccprof_visit(void *context, unsigned depth, uint64_t address, uint64_t count);

/* Adds a stack, in two steps.  Begin returns a shard, or null if all are busy.  The
   caller fills the NEXT of the shard with the addresses, innermost first, and must then
   call end with the number of addresses and the number of samples.  End returns how many
   samples were lost: of this stack, or of earlier stacks that could not be written.
   Async-signal-safe, any thread.  */
struct ccprof_overflow_shard *ccprof_overflow_begin(struct ccprof_overflow *overflow);
uint64_t ccprof_overflow_end(struct ccprof_overflow_shard *shard, uint32_t depth,
                             uint64_t count);

/* Prevents stacks from being added, and any other change, until the log is thawed or
 * closed.  */
void ccprof_overflow_freeze(struct ccprof_overflow *overflow);

/* Visits the stacks of a frozen log until VISIT returns nonzero.  Returns what VISIT
   returned last, or -1 with errno set if a file cannot be read.  */
int ccprof_overflow_each(struct ccprof_overflow *overflow, ccprof_visit *visit,
                         void *context);

/* Takes the samples of a data set (scope.h), or of all data sets, out of a frozen log;
   returns how many samples they were.  */
uint64_t ccprof_overflow_take(struct ccprof_overflow *overflow, uint64_t dataset);

/* Ends a freeze.  */
void ccprof_overflow_thaw(struct ccprof_overflow *overflow);

/* Closes the files and empties the log.  No other thread may use the log meanwhile.  */
void ccprof_overflow_close(struct ccprof_overflow *overflow);

#endif
