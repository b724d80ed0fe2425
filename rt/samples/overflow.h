/* SPDX-License-Identifier: MIT */
/* The overflow log: keeps the stacks that do not fit into the table of samples, with
   their counts. The table adds stacks to the log.

   The log has several shards, and each shard is used by one thread at a time. If the
   scheduler stops a thread that holds a shard, other threads use the other shards.
   Threads that do not run at the same time all use the first shard.

   A shard is a buffer of fixed size. When the buffer is full, it is written to an
   unnamed file (overflow-file.h), which is created at that time. For each stack, only
   the difference from the previous stack is stored. */

#ifndef CCPROF_OVERFLOW_H
#define CCPROF_OVERFLOW_H

#include <stdint.h>

#include "rt/os/lock.h"
#include "rt/samples/overflow-file.h"
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
    uint64_t next[CCPROF_STACK_DEPTH]; /* the next stack, innermost first */
    uint64_t word[CCPROF_OVERFLOW_WORDS];
};

/* An overflow log. A structure of zeros is an empty log without files. */
struct ccprof_overflow {
    /* At least one stack has been added. The shards of an unused log are not
       accessed. */
    _Atomic bool used;
    _Atomic bool closed; /* an unused log stays unused */
    struct ccprof_overflow_shard shard[CCPROF_OVERFLOW_SHARDS];
};

/* Receives a program point. Points are visited in preorder. DEPTH 0 is a root.
   COUNT may be 0. Returns nonzero to stop the visit. */
typedef int ccprof_visit(void *context, unsigned depth, uint64_t address, uint64_t count);

/* Add a stack, in two steps. Begin returns a shard, or null if all shards are busy.
   The caller stores the addresses in the shard's NEXT, innermost first, and must then
   call end with the number of addresses and the number of samples. End returns the
   number of lost samples, of this stack or of earlier stacks that could not be
   written. Async-signal-safe, any thread. */
struct ccprof_overflow_shard *ccprof_overflow_begin(struct ccprof_overflow *overflow);
uint64_t ccprof_overflow_end(struct ccprof_overflow_shard *shard, uint32_t depth,
                             uint64_t count);

/* Prevents all changes of the log until it is thawed or closed. */
void ccprof_overflow_freeze(struct ccprof_overflow *overflow);

/* Calls VISIT for the points of a frozen log until VISIT returns nonzero. Returns the
   last value from VISIT, or -1 with errno set if a file cannot be read. */
int ccprof_overflow_each(struct ccprof_overflow *overflow, ccprof_visit *visit,
                         void *context);

/* Removes the samples of a data set (tags.h), or of all data sets, from a frozen log.
   Returns the number of removed samples. */
uint64_t ccprof_overflow_take(struct ccprof_overflow *overflow, uint64_t dataset);

/* Ends a freeze. */
void ccprof_overflow_thaw(struct ccprof_overflow *overflow);

/* Closes the files and empties the log. No other thread may use the log at the same
   time. */
void ccprof_overflow_close(struct ccprof_overflow *overflow);

#endif
