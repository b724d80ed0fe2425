/* SPDX-License-Identifier: MIT */
/* Lists the process's threads as the kernel knows them, whoever made them.  */

#ifndef CCPROF_TASKS_H
#define CCPROF_TASKS_H

#include <stdbool.h>
#include <sys/types.h>

/* The position of a walk; all zeros is its start.  */
struct ccprof_tasks {
    off_t at;
};

/* Calls VISIT with some of this process's threads, a bounded number, going on where
   the last call was; after the last thread, from the first.  Does nothing where
   there is no /proc.  Async-signal-safe; one thread at a time.  */
void ccprof_tasks_walk(struct ccprof_tasks *tasks, void (*visit)(pid_t tid));

/* Whether there is no such thread of this process any more; the kernel may have given its
   number to another process since.  Async-signal-safe; leaves errno alone.  */
bool ccprof_tasks_has_ended(pid_t tid);

/* Whether libc has made no thread: then there are no others than the calling one, but
   such as the program has asked the kernel for.  If that is not known, there are some.
   Async-signal-safe.  */
bool ccprof_tasks_alone(void);

#endif
