/* SPDX-License-Identifier: MIT */
/* Tells which threads may make no system calls any more.  */

#ifndef CCPROF_STRICT_H
#define CCPROF_STRICT_H

#include <stdbool.h>

/* Whether the calling thread is in the strict mode of seccomp(2), in which the kernel
   kills a thread that makes another system call than read, write, _exit and sigreturn.
   Then no lock that is held is waited for, no memory is mapped, no signal is blocked, and
   no file is written.  rt/process/strict.c alone sets this.  Weak: it is one variable,
   whichever files include this.  */
_Thread_local volatile bool ccprof_strict __attribute__((weak));

#endif
