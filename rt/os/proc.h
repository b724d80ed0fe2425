/* SPDX-License-Identifier: MIT */
/* Lists the threads of the process that the kernel knows, whoever made them.  */

#ifndef CCPROF_PROC_H
#define CCPROF_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The position of a walk; all zeros is the start.  */
struct ccprof_tasks {
    off_t at;
};

/* Calls VISIT with a bounded number of this process's threads.  Each call goes on where
   the last call stopped; behind the last thread the walk starts again.  Does nothing
   without /proc.  Async-signal-safe; one thread at a time.  */
void ccprof_tasks_walk(struct ccprof_tasks *tasks, void (*visit)(pid_t tid));

/* Returns how many threads the process has, without opening a file; 0 if the kernel does
   not tell.  Async-signal-safe.  */
uint64_t ccprof_tasks_count(void);

/* Returns whether the thread TID of this process has ended; the kernel may have given its
   number to another process since.  Async-signal-safe; leaves errno alone.  */
bool ccprof_tasks_has_ended(pid_t tid);

/* Returns whether libc has made no thread besides the calling one; false where libc does
   not tell.  Threads that the program has made by system calls are not known to libc.
   Async-signal-safe.  */
bool ccprof_tasks_alone(void);

/* Tells whether a debugger or the like traces the process.  */

/* Returns whether another process traces the calling thread, ptrace(2); false without
   /proc.  Async-signal-safe; leaves errno alone.  */
bool ccprof_traced(void);

/* Asks the kernel how much memory the process has.  */

/* Returns the bytes of the process that are in memory, 0 if the kernel does not say.
   Async-signal-safe; keeps errno.  */
uint64_t ccprof_resident(void);

/* Gives the executable's path to the modules that name the program.  */

/* Returns the path, as the kernel gave it at the first call, which must be in the
   constructor; an empty string if the kernel gave none.  */
const char *ccprof_program(void);

#endif
