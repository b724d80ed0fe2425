/* SPDX-License-Identifier: MIT */
/* The log: stacks that the table had no room for, with their counts.  A buffer
   of fixed size, emptied into a file without a name when it is full; the file is
   opened only then.  A stack is written as far as it differs from the one before
   it.  */

#ifndef CCPROF_LOG_H
#define CCPROF_LOG_H

#include <stdint.h>
#include <sys/types.h>

#include "spin.h"
#include "stack.h"

#define CCPROF_LOG_WORDS 8192

/* All zeros is an empty log without a file.  */
struct ccprof_log {
    ccprof_spin busy;
    bool frozen;
    bool open; /* fd is ours, as long as device and inode agree */
    int fd;
    dev_t device;
    ino_t inode;
    uint64_t filed;                    /* words in the file */
    uint64_t filed_sum;                /* the counts there added up */
    uint32_t used;                     /* words in the buffer */
    uint32_t depth;                    /* of the last stack in the buffer */
    uint64_t last[CCPROF_STACK_DEPTH]; /* outermost first */
    uint64_t next[CCPROF_STACK_DEPTH]; /* innermost first, to be added */
    uint64_t word[CCPROF_LOG_WORDS];
};

/* A program point on its way into the data file, in preorder; depth 0 is a root.
   COUNT may be 0.  Returns nonzero to stop.  */
typedef int ccprof_visit(void *context, unsigned depth, uint64_t address, uint64_t count);

/* Where logs are kept: FOLDER (owned by the caller, lives on), or the usual
   folder for temporary files if that is not possible.  Before the first add.  */
void ccprof_log_place(const char *folder);

/* To add a stack: begin returns CCPROF_STACK_DEPTH places to be filled with its
   addresses, innermost first, or null if the log is busy; then end must follow,
   with how many they are and how many samples are added there.  It returns how
   many were lost because of it: these, or others that could not be written.
   Async-signal-safe, any thread.  */
uint64_t *ccprof_log_begin(struct ccprof_log *log);
uint64_t ccprof_log_end(struct ccprof_log *log, uint32_t depth, uint64_t count);

/* No add succeeds any more, and nothing changes until the log is closed.  */
void ccprof_log_freeze(struct ccprof_log *log);

/* Visits the stacks of a frozen log, until it is told to stop.  Returns what
   VISIT returned, or -1 with errno set if the file cannot be read.  */
int ccprof_log_each(struct ccprof_log *log, ccprof_visit *visit, void *context);

/* Closes the file and empties the log.  Nobody else may be using it.  */
void ccprof_log_close(struct ccprof_log *log);

#endif
