/* SPDX-License-Identifier: MIT */
/* Lets the program's calls come to the runtime.

   Calls of ccprof.h's functions go through the table ccprof_api.  Calls of some libc
   functions come to the replacements below: ways out that libc does not announce (_exit,
   _Exit and exec), calls that concern SIGPROF, jumps, and calls that forbid system calls.
   thread-create.h has the replacements for the creation of threads.  hooks-got.c puts
   them before libc's functions in libccprof.so.1, hooks-static.c in libccprof.a.  In
   libccprof.so.1 there are also thrd_create, sigsetjmp, syscall and dlclose.

   Each replacement is called wherever the program calls the function, signal handlers
   included.  */

#ifndef CCPROF_HOOKS_H
#define CCPROF_HOOKS_H

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

#include "rt/ccprof.h"

/* The table that the constructor gives to the program (api.c).  Read-only, except for the
   functions of regions (regions.h).  */
extern struct ccprof_api ccprof_api;

/* Lets the calls in all loaded modules, profiled or not, come to the runtime.
   Constructor, when the loader is working on no other module.  One thread at a time.  */
void ccprof_hooks_set(void);

/* Starts to measure the heap (rt/heap/heap.h): from the next ccprof_hooks_set on, calls
   of allocators come to the runtime, too.  SIZE is as there.  LEAST is the least size of
   the mappings that are counted, 0 if none is; if blocks are sampled, it becomes eight
   times SIZE at least, since nearly all mappings of that size would be sampled.  Returns
   NULL, or why that is not possible.  Constructor, once.  */
const char *ccprof_hooks_start_heap(uint64_t size, uint64_t least);

/* Replace exec(3): write what was measured before another program takes the process's
   place.  If an exec fails, the program goes on, and so does the measuring.  The child of
   a vfork shares its parent's memory, so nothing is written there.  */
int ccprof_hooks_execve(const char *path, char *const argument[], char *const variable[]);
int ccprof_hooks_execv(const char *path, char *const argument[]);
int ccprof_hooks_execvp(const char *file, char *const argument[]);
int ccprof_hooks_execvpe(const char *file, char *const argument[],
                         char *const variable[]);
int ccprof_hooks_fexecve(int fd, char *const argument[], char *const variable[]);
int ccprof_hooks_execveat(int folder, const char *path, char *const argument[],
                          char *const variable[], int flags);
int ccprof_hooks_execl(const char *path, const char *first, ...);
int ccprof_hooks_execlp(const char *file, const char *first, ...);
int ccprof_hooks_execle(const char *path, const char *first, ...);

/* Runs BODY for execl, execlp or execle.  In BODY, ARGUMENT is the array of the arguments
   from FIRST on, and LIST is the va_list behind them.  */
#define CCPROF_HOOKS_EXEC_LIST(first, body)                                              \
    do {                                                                                 \
        va_list list;                                                                    \
        size_t count = 1;                                                                \
        va_start(list, first);                                                           \
        while (va_arg(list, char *))                                                     \
            count++;                                                                     \
        va_end(list);                                                                    \
        char *argument[count + 1];                                                       \
        argument[0] = (char *)(uintptr_t)(first);                                        \
        va_start(list, first);                                                           \
        for (size_t i = 1; i <= count; i++)                                              \
            argument[i] = va_arg(list, char *);                                          \
        body;                                                                            \
        va_end(list);                                                                    \
    } while (0)

/* Replace libc's functions by which a program handles SIGPROF, waits for it, or asks
   whether it is pending.  Each replacement does what libc's function would do without the
   profiler.

   If the program installs a handler, sampling ends for good, since the program and the
   profiler would get each other's signals.  If the program sets SIGPROF to its default or
   ignores it, as programs do for all signals when they start, this has an effect only on
   signals that are not the profiler's.

   The handler of a signal that would end the program (exit.h) stands for the default
   action of that signal.  */
typedef void (*ccprof_hooks_handler)(int number);

int ccprof_hooks_sigaction(int number, const struct sigaction *action,
                           struct sigaction *old);
ccprof_hooks_handler ccprof_hooks_signal(int number, ccprof_hooks_handler handler);
ccprof_hooks_handler ccprof_hooks_sysv_signal(int number, ccprof_hooks_handler handler);
int ccprof_hooks_sigwait(const sigset_t *set, int *number);
int ccprof_hooks_sigwaitinfo(const sigset_t *set, siginfo_t *info);
int ccprof_hooks_sigtimedwait(const sigset_t *set, siginfo_t *info,
                              const struct timespec *timeout);

/* Discards a pending signal of ours; the next one will stand for its samples, too.  */
int ccprof_hooks_sigpending(sigset_t *set);

/* Replace longjmp: end the regions that the jump leaves (regions.h).  */
void ccprof_hooks_longjmp(sigjmp_buf buffer, int value) __attribute__((noreturn));
void ccprof_hooks_longjmp_checked(sigjmp_buf buffer, int value) __attribute__((noreturn));

/* Replace setjmp.  Each processor has a file jump-NAME.c with these functions, which
   return twice and so cannot be written in C.  */
int ccprof_jump__setjmp(jmp_buf buffer);
int ccprof_jump_setjmp(jmp_buf buffer);
int ccprof_jump_sigsetjmp(sigjmp_buf buffer, int saves);

/* Returns the stack pointer in a buffer of setjmp; 0 if it is not known.  */
uintptr_t ccprof_jump_stack(const void *buffer);

/* Replace libc's functions by which a thread sets the strict mode of seccomp(2)
   (strict.c).  For the runtime the thread ends there: the file is written, and the thread
   is neither sampled nor measured any more, apart from counters.  One of these functions
   is syscall, by which a thread may end, too.  */
int ccprof_strict_prctl(int option, unsigned long a, unsigned long b, unsigned long c,
                        unsigned long d);

/* Only in libccprof.so.1: a static program's calls are the runtime's, too.  On x86-64 the
   last argument is on the stack, and is left alone there.  */
#ifdef __x86_64__
#define CCPROF_STRICT_LAST(argument)
#else
#define CCPROF_STRICT_LAST(argument) , argument
#endif
long ccprof_strict_syscall(long number, long a, long b, long c, long d,
                           long e CCPROF_STRICT_LAST(long f));

#endif
