/* SPDX-License-Identifier: MIT */
/* Gives the runtime libc's own functions, and installs the runtime's signal handlers.

   These functions cannot be used by their usual names, since the runtime replaces them
   for the program (hooks.h): in a static program such a call would reach the replacement,
   and in libccprof.so.1 a pointer to the function may lead there. libc-shared.c
   implements this for libccprof.so.1, libc-static.c for libccprof.a, and signals.c for
   both. */

#ifndef CCPROF_LIBC_H
#define CCPROF_LIBC_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

struct ccprof_libc {
    int (*sigaction)(int, const struct sigaction *, struct sigaction *);
    void (*(*signal)(int, void (*)(int)))(int);
    void (*(*sysv_signal)(int, void (*)(int)))(int);
    int (*sigtimedwait)(const sigset_t *, siginfo_t *, const struct timespec *);
    int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void (*siglongjmp)(sigjmp_buf, int) __attribute__((noreturn));
    int (*swapcontext)(ucontext_t *, const ucontext_t *);
    int (*execve)(const char *, char *const *, char *const *);
    int (*execvpe)(const char *, char *const *, char *const *);
    /* The function that siglongjmp means with _FORTIFY_SOURCE. Only libccprof.so.1
       calls it. */
    void (*siglongjmp_checked)(sigjmp_buf, int) __attribute__((noreturn));
};

extern const struct ccprof_libc ccprof_libc;

typedef void ccprof_signals_handler(int number, siginfo_t *info, void *context);

/* Installs HANDLER. It runs with all signals blocked, and on the alternate stack if
   there is one. Interrupted system calls are restarted. Returns false if the kernel
   refuses. */
bool ccprof_signals_set(int number, ccprof_signals_handler *handler);

/* Does the same, and stores the previous action in *BEFORE, unless BEFORE is null.
   Async-signal-safe. */
bool ccprof_signals_change(int number, ccprof_signals_handler *handler,
                           struct sigaction *before);

/* Returns whether SIZE bytes are free on the stack of the calling handler, if that is an
   alternate stack. The program may have made the stack for its own small handlers.
   CONTEXT is the handler's third argument. */
static inline bool ccprof_signals_have_room(const void *context, size_t size)
{
    const stack_t *stack = &((const ucontext_t *)context)->uc_stack;
    size_t left = (size_t)((char *)__builtin_frame_address(0) - (char *)stack->ss_sp);

    return (stack->ss_flags & SS_DISABLE) || left >= stack->ss_size || left >= size;
}

/* The bytes that a handler needs to write files. */
#define CCPROF_SIGNALS_WRITE 4096

/* Returns whether the action is the default action. */
bool ccprof_signals_are_default(const struct sigaction *action);

/* Installs HANDLER as ccprof_signals_set does, but only if the signal still has its
   default action. Otherwise the program handles or ignores the signal: nothing changes,
   and false is returned. */
bool ccprof_signals_take(int number, ccprof_signals_handler *handler);

/* Does the same as ccprof_signals_take, with a single system call in most programs.
   The caller has blocked all signals. */
bool ccprof_signals_take_blocked(int number, ccprof_signals_handler *handler);

#endif
