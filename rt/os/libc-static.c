/* SPDX-License-Identifier: MIT */
/* Gives the runtime libc's own functions in libccprof.a, by their reserved names,
   since hooks-static.c defines the usual names. */

#define _GNU_SOURCE
#include "rt/os/libc.h"

__typeof__(sigaction) __sigaction;
__typeof__(signal) __bsd_signal, __sysv_signal;
__typeof__(sigtimedwait) __sigtimedwait;
__typeof__(pthread_create) __pthread_create;
__typeof__(swapcontext) __swapcontext;
__typeof__(execve) __execve, __execvpe;
__typeof__(siglongjmp) __libc_siglongjmp __attribute__((noreturn));

const struct ccprof_libc ccprof_libc = {
    __sigaction,       __bsd_signal,  __sysv_signal, __sigtimedwait, __pthread_create,
    __libc_siglongjmp, __swapcontext, __execve,      __execvpe,      __libc_siglongjmp};
