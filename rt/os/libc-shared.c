/* SPDX-License-Identifier: MIT */
/* Owns nothing.  The runtime's own calls go past the slots that it changes.  */

#define _GNU_SOURCE
#include "rt/os/libc.h"

const struct ccprof_libc ccprof_libc = {sigaction, signal, sysv_signal, sigtimedwait,
                                        pthread_create};
