/* SPDX-License-Identifier: MIT */
/* The replacements of the functions of GCC's OpenMP library in which threads wait:
   barriers, critical sections, the ends of constructs, tasks and locks (rt/wait/wait.h).
   The library waits by itself, first in a loop and then in the kernel: what is recorded
   is the time in which the thread neither ran nor waited for a processor. Only in
   libccprof.so.1. */

#ifndef CCPROF_WAIT_OPENMP_H
#define CCPROF_WAIT_OPENMP_H

/* Finds the functions of the library, if it is loaded. Called by the constructor, before
   slots are changed. */
void ccprof_wait_openmp_start(void);

/* Returns the replacement of the function NAME, or null. */
void (*ccprof_wait_openmp_find(const char *name))(void);

#endif
