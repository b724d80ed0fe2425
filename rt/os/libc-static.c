/* SPDX-License-Identifier: MIT */
/* Owns nothing.  The functions by their reserved names in libc.a, since the others
   are the runtime's.  */

#define _GNU_SOURCE
#include "rt/os/libc.h"

__typeof__(sigaction) __sigaction;
__typeof__(signal) __bsd_signal, __sysv_signal;
__typeof__(sigtimedwait) __sigtimedwait;
__typeof__(pthread_create) __pthread_create;

const struct ccprof_libc ccprof_libc = {__sigaction, __bsd_signal, __sysv_signal,
                                        __sigtimedwait, __pthread_create};
