/* SPDX-License-Identifier: MIT */
/* Gives the runtime libc's own functions in libccprof.so.1.  These wrappers call libc
   through the global offset table of libccprof.so.1, which hooks-got.c does not
   change.

   Pointers to libc's functions would not work.  If an executable that is not
   position-independent takes the address of such a function, all modules see the
   address of the executable's PLT entry.  That entry jumps through a slot that
   hooks-got.c has changed.  */

#define _GNU_SOURCE
#include "rt/os/libc.h"

/* With _FORTIFY_SOURCE the name siglongjmp would mean the checked function
   (bits/setjmp2.h).  */
#if __USE_FORTIFY_LEVEL > 0
#error "the runtime is built without _FORTIFY_SOURCE (rt/rt.mk)"
#endif

typedef void (*libc_handler)(int);

__typeof__(siglongjmp) __longjmp_chk __attribute__((noreturn));

static int libc_sigaction(int number, const struct sigaction *action,
                          struct sigaction *old)
{
    return sigaction(number, action, old);
}

static libc_handler libc_signal(int number, libc_handler handler)
{
    return signal(number, handler);
}

static libc_handler libc_sysv_signal(int number, libc_handler handler)
{
    return sysv_signal(number, handler);
}

static int libc_sigtimedwait(const sigset_t *set, siginfo_t *info,
                             const struct timespec *timeout)
{
    return sigtimedwait(set, info, timeout);
}

static int libc_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                               void *(*start)(void *), void *argument)
{
    return pthread_create(thread, attributes, start, argument);
}

static __attribute__((noreturn)) void libc_siglongjmp(sigjmp_buf buffer, int value)
{
    siglongjmp(buffer, value);
}

static int libc_swapcontext(ucontext_t *out, const ucontext_t *in)
{
    return swapcontext(out, in);
}

static int libc_execve(const char *path, char *const argument[], char *const variable[])
{
    return execve(path, argument, variable);
}

static int libc_execvpe(const char *file, char *const argument[], char *const variable[])
{
    return execvpe(file, argument, variable);
}

static __attribute__((noreturn)) void libc_siglongjmp_checked(sigjmp_buf buffer,
                                                              int value)
{
    __longjmp_chk(buffer, value);
}

const struct ccprof_libc ccprof_libc = {libc_sigaction,      libc_signal,
                                        libc_sysv_signal,    libc_sigtimedwait,
                                        libc_pthread_create, libc_siglongjmp,
                                        libc_swapcontext,    libc_execve,
                                        libc_execvpe,        libc_siglongjmp_checked};
