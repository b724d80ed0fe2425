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
     wait-openmp.c  OpenMP's library, GCC's: barriers, critical sections, the ends of
                    constructs, tasks and locks. It waits by itself, first in a loop and
                    then in the kernel: what is recorded is the time in which the thread
                    neither ran nor waited for a processor

   Not replaced, so their waits are not seen: functions that print with a format and scan,
   message queues, semaphores of System V, pthread_once, and locks within libc, such as
   those of malloc and of streams (flockfile). */

#ifndef CCPROF_WAIT_CALLS_H
#define CCPROF_WAIT_CALLS_H

#include <dlfcn.h>

#include "rt/wait/wait.h"
#include "rt/entry/hooks-module.h"

/* The functions of libc are called through pointers, which are set if waits are measured:
   the loader would look up each symbol in every profiled process. In a file of
   replacements, CCPROF_WAIT_POINTER defines the pointer of a function, CCPROF_WAIT_SET
   sets it, and CCPROF_WAIT_LIBC is the function. Further arguments are ignored, so that a
   list of functions can define, set and find them. A function of which the program finds
   another definition, which may have other parameters, is not replaced. */
#define CCPROF_WAIT_POINTER(type, function, ...)                                         \
    static __typeof__(&function) libc_##function;                                        \
    static bool is_own_##function;
#define CCPROF_WAIT_SET(type, function, ...)                                             \
    libc_##function = (__typeof__(&function))(uintptr_t)ccprof_hooks_module_libc(        \
        #function, &is_own_##function);
#define CCPROF_WAIT_LIBC(function) (*libc_##function)

/* Sets all pointers. Called by the constructor, before slots are changed. */
void ccprof_wait_calls_start(void);

/* The same, for the functions of one file. */
void ccprof_wait_locks_start(void);
void ccprof_wait_files_start(void);
void ccprof_wait_openmp_start(void);

/* Returns the replacement of libc's function NAME, or null. */
ccprof_hooks_function ccprof_wait_calls_find(const char *name);

/* The same, for the functions of one file. */
ccprof_hooks_function ccprof_wait_locks_find(const char *name);
ccprof_hooks_function ccprof_wait_files_find(const char *name);
ccprof_hooks_function ccprof_wait_openmp_find(const char *name);

/* In a function that returns the replacement of the function WANTED: finds wait_FUNCTION,
   the replacement of FUNCTION. */
#define CCPROF_WAIT_FIND(type, function, ...)                                            \
    if (libc_##function && !is_own_##function && strcmp(wanted, #function) == 0)         \
        return (ccprof_hooks_function)wait_##function;

/* Defines FUNCTION, which calls CALL and records it as the wait RECORD. AFTER: what it
   does with the wait and the result before the wait ends. */
#define CCPROF_WAIT_RECORD(type, function, parameters, call, why, what, after,           \
                           timed_out)                                                    \
    static __attribute__((noinline)) type function parameters                            \
    {                                                                                    \
        struct ccprof_wait record;                                                       \
        CCPROF_WAIT_BEGIN(&record, CCPROF_WAIT_##why, what);                             \
        type result = call;                                                              \
        after;                                                                           \
        ccprof_wait_end(&record, timed_out);                                             \
        return result;                                                                   \
    }

/* A descriptor as the object of a wait, until ccprof_wait_set_kind replaces it. */
#define CCPROF_WAIT_FD(fd) ((uint64_t)(uint32_t)(fd) + 1)

#endif
