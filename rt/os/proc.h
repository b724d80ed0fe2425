/* SPDX-License-Identifier: MIT */
/* Asks the kernel about this process, mostly through /proc: its threads, whether it is
   traced, its memory, and its executable.  All functions are async-signal-safe, except
   where a comment says otherwise.  */

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
   the last call stopped; after the last thread the walk starts again.  Does nothing
   without /proc.  One thread at a time.  */
void ccprof_tasks_walk(struct ccprof_tasks *tasks, void (*visit)(pid_t tid));

/* Returns how many threads the process has, without opening a file; 0 if that is not
   known.  */
uint64_t ccprof_tasks_count(void);

/* Returns whether the thread TID of this process has ended; the kernel may have given its
   number to another process since.  Leaves errno alone.  */
bool ccprof_tasks_has_ended(pid_t tid);

/* Returns whether the calling thread is the only one that libc knows; false if libc does
   not say.  Libc does not know the threads that the program has made by system calls.  */
bool ccprof_tasks_alone(void);

/* Returns whether another process traces the calling thread, ptrace(2); false without
   /proc.  Leaves errno alone.  */
bool ccprof_traced(void);

/* Returns how many bytes of the process are in memory; 0 if that is not known.  Leaves
   errno alone.  */
uint64_t ccprof_resident(void);

/* Returns the executable's path, as the kernel gave it at the first call, which must be
   in the constructor; an empty string if the kernel gave none.  */
const char *ccprof_program(void);

/* Returns whether PATH is a test program of Autoconf (conftest), CMake (cmTC_ and a hash,
   in a folder CMakeFiles) or Meson (in a folder meson-private).  These programs find out
   what the compiler and the system can do, and are not profiled.  */
bool ccprof_program_is_conftest(const char *path);

#endif
