/* SPDX-License-Identifier: MIT */
/* The log: points that the table had no room for any more, with their counts.
   A buffer of fixed size, emptied into a file without a name when it is full;
   the file is opened only then.  */

#ifndef CCPROF_LOG_H
#define CCPROF_LOG_H

#include <stdint.h>
#include <sys/types.h>

#include "spin.h"

#define CCPROF_LOG_SIZE 1024

struct ccprof_point {
    uint64_t pc;
    uint64_t count;
};

/* All zeros is an empty log without a file.  */
struct ccprof_log {
    ccprof_spin busy;
    bool frozen;
    bool open; /* fd is ours, as long as device and inode agree */
    int fd;
    dev_t device;
    ino_t inode;
    uint32_t used;      /* points in the buffer */
    uint64_t filed;     /* points in the file */
    uint64_t filed_sum; /* their counts added up */
    struct ccprof_point point[CCPROF_LOG_SIZE];
};

/* Where logs are kept: FOLDER (owned by the caller, lives on), or the usual
   folder for temporary files if that is not possible.  Before the first add.  */
void ccprof_log_place(const char *folder);

/* Adds COUNT samples at PC.  Returns how many samples were lost because of it:
   these, or others that could not be written.  Async-signal-safe, any thread.  */
uint64_t ccprof_log_add(struct ccprof_log *log, uint64_t pc, uint64_t count);

/* No add succeeds any more, and nothing changes until the log is closed.  */
void ccprof_log_freeze(struct ccprof_log *log);

/* Calls VISIT for each point of a frozen log until it returns nonzero.
   Returns that, or -1 with errno set if the file cannot be read.  */
int ccprof_log_each(const struct ccprof_log *log,
                    int (*visit)(void *context, const struct ccprof_point *point),
                    void *context);

/* Closes the file and empties the log.  Nobody else may be using it.  */
void ccprof_log_close(struct ccprof_log *log);

#endif
