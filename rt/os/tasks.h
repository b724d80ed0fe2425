/* SPDX-License-Identifier: MIT */
/* The threads that the kernel knows of, whoever made them.  */

#ifndef CCPROF_TASKS_H
#define CCPROF_TASKS_H

#include <sys/types.h>

/* Where a walk is: all zeros is its start.  */
struct ccprof_tasks {
    off_t at;
};

/* Calls VISIT with some of this process's threads, a bounded number, going on where
   the last call was; after the last thread, from the first.  Does nothing where
   there is no /proc.  Async-signal-safe; one thread at a time.  */
void ccprof_tasks_walk(struct ccprof_tasks *tasks, void (*visit)(pid_t tid));

#endif
