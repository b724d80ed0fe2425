/* SPDX-License-Identifier: MIT */
/* Gives the runtime libc's own functions.  The names alone would not do: the program's
   calls of these functions come to the runtime first (hooks.h).  libc-shared.c is for
   libccprof.so.1, libc-static.c for libccprof.a.  */

#ifndef CCPROF_LIBC_H
#define CCPROF_LIBC_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
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
    /* What siglongjmp means with _FORTIFY_SOURCE.  Only libccprof.so.1 calls it.  */
    void (*siglongjmp_checked)(sigjmp_buf, int) __attribute__((noreturn));
};

extern const struct ccprof_libc ccprof_libc;

#endif
