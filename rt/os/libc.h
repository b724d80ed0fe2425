/* SPDX-License-Identifier: MIT */
/* Gives the runtime libc's own functions, where the program's calls of them come to the
   runtime first (hooks.h). libc-shared.c is for libccprof.so.1, libc-static.c for
   libccprof.a.  */

#ifndef CCPROF_LIBC_H
#define CCPROF_LIBC_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

struct ccprof_libc {
    int (*sigaction)(int, const struct sigaction *, struct sigaction *);
    void (*(*signal)(int, void (*)(int)))(int);
    void (*(*sysv_signal)(int, void (*)(int)))(int);
    int (*sigtimedwait)(const sigset_t *, siginfo_t *, const struct timespec *);
    int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void (*siglongjmp)(sigjmp_buf, int) __attribute__((noreturn));
    int (*execve)(const char *, char *const *, char *const *);
    int (*execvpe)(const char *, char *const *, char *const *);
    /* Only for libccprof.so.1: with _FORTIFY_SOURCE.  */
    void (*siglongjmp_checked)(sigjmp_buf, int) __attribute__((noreturn));
};

extern const struct ccprof_libc ccprof_libc;

#endif
