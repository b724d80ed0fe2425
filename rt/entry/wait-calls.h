/* SPDX-License-Identifier: MIT */
/* The replacements of libc's functions that wait, or that end waits of other threads.
   They record waits (rt/wait/wait.h), and otherwise behave as libc's functions do: same
   results, same errno, and the same points of cancellation. The runtime owns no lock
   while libc's function runs, so a thread may be cancelled, or leave it by longjmp.
   hooks-got.c installs them, only in libccprof.so.1. They run when the program calls the
   functions, in any thread, also in signal handlers.

     wait-locks.c   locks, semaphores, conditions, barriers, join
     wait-files.c   descriptors and streams
     wait-others.c  polls, sleeps, signals, children, names, and syscall
     wait-openmp.h  OpenMP's library

   Not replaced, so their waits are not seen: functions that print with a format and scan,
   message queues, semaphores of System V, pthread_once, and locks within libc, such as
   those of malloc and of streams (flockfile). */

#ifndef CCPROF_WAIT_CALLS_H
#define CCPROF_WAIT_CALLS_H

#include "rt/wait/wait.h"
#include "rt/entry/hooks-module.h"

/* Returns the replacement of libc's function NAME, or null. */
ccprof_hooks_function ccprof_wait_calls_find(const char *name);

/* The same, for the functions of one file. */
ccprof_hooks_function ccprof_wait_locks_find(const char *name);
ccprof_hooks_function ccprof_wait_files_find(const char *name);

/* In a function that returns the replacement of the function WANTED: finds wait_FUNCTION,
   the replacement of FUNCTION. Further arguments are ignored, so that a list of functions
   can define and find them. */
#define CCPROF_WAIT_FIND(type, function, ...)                                            \
    if (strcmp(wanted, #function) == 0)                                                  \
        return (ccprof_hooks_function)wait_##function;

/* A descriptor as the object of a wait. */
#define CCPROF_WAIT_FD(fd) ((uint64_t)(uint32_t)(fd) + 1)

#endif
