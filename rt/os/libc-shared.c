/* SPDX-License-Identifier: MIT */
/* Gives the runtime libc's own functions in libccprof.so.1. These wrappers call libc
   through the global offset table of libccprof.so.1, which hooks-got.c does not
   change.

   Pointers to libc's functions would not work. If an executable that is not
   position-independent takes the address of such a function, all modules see the
   address of the executable's PLT entry. That entry jumps through a slot that
   hooks-got.c has changed. */

#define _GNU_SOURCE
#include "rt/os/libc.h"

/* With _FORTIFY_SOURCE the name siglongjmp would mean the checked function
   (bits/setjmp2.h). */
#if __USE_FORTIFY_LEVEL > 0
#error "the runtime is built without _FORTIFY_SOURCE (rt/rt.mk)"
#endif

typedef void (*libc_handler)(int);

__typeof__(siglongjmp) __longjmp_chk __attribute__((noreturn));

/* Defines libc_NAME, which calls NAME. */
#define LIBC(type, name, parameters, arguments)                                          \
    static type libc_##name parameters                                                   \
    {                                                                                    \
        return name arguments;                                                           \
    }

typedef char *const *libc_words;

LIBC(int, sigaction, (int a, const struct sigaction *b, struct sigaction *c), (a, b, c))
LIBC(libc_handler, signal, (int a, libc_handler b), (a, b))
LIBC(libc_handler, sysv_signal, (int a, libc_handler b), (a, b))
LIBC(int, sigtimedwait, (const sigset_t *a, siginfo_t *b, const struct timespec *c),
     (a, b, c))
LIBC(int, pthread_create,
     (pthread_t * a, const pthread_attr_t *b, void *(*c)(void *), void *d), (a, b, c, d))
LIBC(int, swapcontext, (ucontext_t * a, const ucontext_t *b), (a, b))
LIBC(int, execve, (const char *a, libc_words b, libc_words c), (a, b, c))
LIBC(int, execvpe, (const char *a, libc_words b, libc_words c), (a, b, c))

static __attribute__((noreturn)) void libc_siglongjmp(sigjmp_buf buffer, int value)
{
    siglongjmp(buffer, value);
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
