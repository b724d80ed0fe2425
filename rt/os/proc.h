/* SPDX-License-Identifier: MIT */
/* Asks the kernel about this process, mostly through /proc: its threads, whether it is
   traced, its memory use, and its executable. All functions are async-signal-safe,
   except where a comment says otherwise. */

#ifndef CCPROF_PROC_H
#define CCPROF_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A position in the list of threads; all zeros is the start. */
struct ccprof_tasks {
    off_t position;
};

/* Calls VISIT with a bounded number of this process's threads. Each call continues
   where the previous call stopped. After the last thread, the next call starts again.
   Does nothing without /proc. Only one thread may call this at a time. */
void ccprof_tasks_walk(struct ccprof_tasks *tasks, void (*visit)(pid_t tid));

/* Returns the number of threads of the process; 0 if it is not known. Opens no file. */
uint64_t ccprof_tasks_count(void);

/* Returns whether the thread TID of this process has ended. (The kernel may have
   given its number to a thread of another process since.) Does not change errno. */
bool ccprof_tasks_has_ended(pid_t tid);

/* Returns whether libc knows of no other thread than the calling thread; false if libc
   cannot say. Threads that the program created by system calls are unknown to libc. */
bool ccprof_tasks_alone(void);

/* Returns whether another process traces the calling thread, ptrace(2); false without
   /proc. Does not change errno. */
bool ccprof_traced(void);

/* Returns the resident memory of the process in bytes; 0 if it is not known. Does not
   change errno. */
uint64_t ccprof_resident(void);

/* Sets *READY to the time in which the thread TID of this process was ready to run and
   waited for a processor, in nanoseconds (Linux,
   Documentation/scheduler/sched-stats.rst). TID 0: the calling thread. Returns false if
   it is not known, and always after ccprof_thread_ready_stop or if a standard descriptor
   is closed, which the program may be about to open. Does not change errno. */
bool ccprof_thread_ready(pid_t tid, uint64_t *ready);

/* Makes the function above open no file: the program is about to forbid system calls.
   Returns whether it opens none. */
void ccprof_thread_ready_stop(void);
bool ccprof_thread_ready_is_stopped(void);

/* Returns the process of the thread TID, which may be another process; 0 if it is not
   known, and always after ccprof_thread_ready_stop. Does not change errno. */
pid_t ccprof_thread_process(pid_t tid);

/* Returns the path of the program, also if it was started by the name of the loader.
   It is as it was executed, and may be relative, if there is no /proc; it is empty if
   nothing is known. The first call must be in the constructor. */
const char *ccprof_program(void);

/* Returns whether PATH is a test program of Autoconf (conftest), CMake (cmTC_ and a
   hash, in a folder CMakeFiles) or Meson (in a folder meson-private). Such test
   programs check features of the compiler and the system, and are not profiled. */
bool ccprof_program_is_conftest(const char *path);

#endif
