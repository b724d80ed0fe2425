/* SPDX-License-Identifier: MIT */
/* Takes libc's functions by their names.  The runtime's own calls do not go through the
   slots that hooks-got.c changes.  */

#define _GNU_SOURCE
#include "rt/os/libc.h"

__typeof__(siglongjmp) __longjmp_chk __attribute__((noreturn));

const struct ccprof_libc ccprof_libc = {sigaction,    signal,         sysv_signal,
                                        sigtimedwait, pthread_create, siglongjmp,
                                        execve,       execvpe,        __longjmp_chk};
