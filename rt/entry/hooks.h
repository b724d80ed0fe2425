/* SPDX-License-Identifier: MIT */
/* The room rt/entry: every way in which the program enters the runtime, except signals.

     start.c          the constructor of a profiled module, and fork
     api.c            the functions of ccprof.h
     hooks.h          the replacements of libc's functions
     thread-create.h  the replacements of the functions that create threads
     wait-calls.h     the replacements of the functions that wait
     strict.c         calls that forbid system calls

   No other room calls rt/entry.

   Calls of ccprof.h's functions use the table ccprof_api. Calls of some libc
   functions reach the replacements below: ways out of the program that libc does not
   announce (_exit, _Exit and exec), calls that concern SIGPROF, jumps, and calls that
   forbid system calls. thread-create.h has the replacements for the creation of
   threads. hooks-got.c installs the replacements in libccprof.so.1, and hooks-static.c
   in libccprof.a. Only libccprof.so.1 replaces thrd_create, sigsetjmp, syscall and
   dlclose.

   Each replacement runs when the program calls the function, also in signal handlers. */

#ifndef CCPROF_HOOKS_H
#define CCPROF_HOOKS_H

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include "rt/ccprof.h"

/* The table of functions that the constructor gives to the program (api.c). It is
   read-only, except the functions of regions (regions.h). */
extern struct ccprof_api ccprof_api;

/* Installs the replacements in all loaded modules, profiled or not. Called by
   constructors, one thread at a time, when the loader is not working on another
   module. */
void ccprof_hooks_set(void);

/* The first function remembers the loaded modules, for the constructor. The second one
   installs the replacements in these modules: async-signal-safe, if no other thread
   installs any. Modules that were loaded since then follow at the program's next call of
   dlopen or dlsym. */
void ccprof_hooks_remember(void);
void ccprof_hooks_set_remembered(void);

/* Prepares the heap (rt/heap/heap.h): from the next ccprof_hooks_set on, calls of
   allocators reach the runtime, too. SIZE is passed to ccprof_heap_start.
   LEAST is the minimum size of mappings that are counted; 0 means that none is
   counted. If blocks are sampled, LEAST becomes at least eight times SIZE, since
   mappings of that size are nearly always sampled. Returns null, or the reason why
   the heap cannot be measured. Called once, by the constructor. */
const char *ccprof_hooks_start_heap(uint64_t size, uint64_t least);

/* Prepares the replacements of calls that wait (rt/wait/wait.h), for the next
   ccprof_hooks_set. Returns false in a static program, which has none. Called by the
   constructor. */
bool ccprof_hooks_start_wait(void);

/* Replace exec(3): write the data so far before another program replaces this one. If
   the exec fails, the program and the measurement continue. A child of vfork shares
   its parent's memory and writes nothing. */
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

/* Runs BODY for execl, execlp or execle. In BODY, ARGUMENT is the array of the
   arguments from FIRST on, and LIST is the va_list after them. */
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

/* Replacements for libc's functions that handle SIGPROF, wait for it, or check whether
   it is pending. Each replacement behaves as libc's function would without the
   profiler.

   If the program installs a handler for SIGPROF, sampling ends permanently, since the
   program and the profiler would receive each other's signals. If the program sets
   SIGPROF to its default action or ignores it, as some programs do for all signals
   when they start, this only affects SIGPROF signals that are not the profiler's.

   For a signal that ends the program by default, the program sees the runtime's
   handler (exit.h) as the default action. */
typedef void (*ccprof_hooks_handler)(int number);

int ccprof_hooks_sigaction(int number, const struct sigaction *action,
                           struct sigaction *old);
ccprof_hooks_handler ccprof_hooks_signal(int number, ccprof_hooks_handler handler);
ccprof_hooks_handler ccprof_hooks_sysv_signal(int number, ccprof_hooks_handler handler);
int ccprof_hooks_sigwait(const sigset_t *set, int *number);
int ccprof_hooks_sigwaitinfo(const sigset_t *set, siginfo_t *info);
int ccprof_hooks_sigtimedwait(const sigset_t *set, siginfo_t *info,
                              const struct timespec *timeout);

/* Hides the sampler's SIGPROF from the program. Discards the sampler's pending
   signal. The sampler's next signal then also represents the samples of the discarded
   signal. */
int ccprof_hooks_sigpending(sigset_t *set);

/* Replace libc's functions that set a signal's action in other ways. */
ccprof_hooks_handler ccprof_hooks_sigset(int number, ccprof_hooks_handler handler);
int ccprof_hooks_sigignore(int number);

/* Replaces signalfd (hooks-masks.c). A descriptor for all signals never returns the
   sampler's. If the program chose SIGPROF among few signals, sampling ends. */
int ccprof_hooks_signalfd(int fd, const sigset_t *set, int flags);

/* Replace the functions that wait with a mask of their own. A sample that is due in a
   thread that blocks SIGPROF is taken before the wait, and none ends the wait. Other
   signals end it as MASK says. */
int ccprof_hooks_sigsuspend(const sigset_t *mask);
int ccprof_hooks_sigpause(int number);
int ccprof_hooks_ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout,
                       const sigset_t *mask);
int ccprof_hooks_ppoll_checked(struct pollfd *files, nfds_t count,
                               const struct timespec *timeout, const sigset_t *mask,
                               size_t size);
int ccprof_hooks_pselect(int count, fd_set *readable, fd_set *writable,
                         fd_set *exceptional, const struct timespec *timeout,
                         const sigset_t *mask);
int ccprof_hooks_epoll_pwait(int fd, struct epoll_event *events, int most, int timeout,
                             const sigset_t *mask);
int ccprof_hooks_epoll_pwait2(int fd, struct epoll_event *events, int most,
                              const struct timespec *timeout, const sigset_t *mask);

/* Called before each wait without a mask. If the program reads all signals from a
   descriptor, takes the samples that are due in a thread that blocks SIGPROF. */
void ccprof_hooks_before_wait(void);

/* Replace longjmp: end the regions that the jump leaves (regions.h). */
void ccprof_hooks_longjmp(sigjmp_buf buffer, int value) __attribute__((noreturn));
void ccprof_hooks_longjmp_checked(sigjmp_buf buffer, int value) __attribute__((noreturn));

/* Replace setjmp. Each processor has a file jump-NAME.c with these functions. They
   return twice, so they cannot be written in C. */
int ccprof_jump__setjmp(jmp_buf buffer);
int ccprof_jump_setjmp(jmp_buf buffer);
int ccprof_jump_sigsetjmp(sigjmp_buf buffer, int saves);

/* Returns the stack pointer stored in a buffer of setjmp; 0 if it is not known. */
uintptr_t ccprof_jump_stack(const void *buffer);

/* A thread enters the strict mode of seccomp(2) by one of libc's functions. The
   functions below replace them (strict.c). The runtime then treats the thread as
   ended: it writes the file, and no longer samples or measures the thread, except for
   counters. One of them is syscall, which a thread may also use to end itself. */
int ccprof_strict_prctl(int option, unsigned long a, unsigned long b, unsigned long c,
                        unsigned long d);

/* Replaces syscall. Only in libccprof.so.1: in a static program the runtime makes its
   own calls through the same function. On x86-64 the last argument is on the stack
   and stays there. */
#ifdef __x86_64__
#define CCPROF_STRICT_LAST(argument)
#else
#define CCPROF_STRICT_LAST(argument) , argument
#endif
long ccprof_strict_syscall(long number, long a, long b, long c, long d,
                           long e CCPROF_STRICT_LAST(long f));

#endif
