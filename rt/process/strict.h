/* SPDX-License-Identifier: MIT */
/* Replaces libc's functions by which a thread sets the strict mode of seccomp(2).  For
   the runtime the thread ends there: the file is written, and the thread is neither
   sampled nor measured any more, apart from counters.  One of them is syscall, by which a
   thread may end, too.  */

#ifndef CCPROF_PROCESS_STRICT_H
#define CCPROF_PROCESS_STRICT_H

int ccprof_strict_prctl(int option, unsigned long a, unsigned long b, unsigned long c,
                        unsigned long d);

/* Only in libccprof.so.1: a static program's calls are the runtime's, too.  On x86-64 the
   last argument is on the stack, and is left alone there.  */
#ifdef __x86_64__
#define CCPROF_STRICT_LAST(argument)
#else
#define CCPROF_STRICT_LAST(argument) , argument
#endif
long ccprof_strict_syscall(long number, long a, long b, long c, long d,
                           long e CCPROF_STRICT_LAST(long f));

#endif
