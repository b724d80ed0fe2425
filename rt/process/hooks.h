/* SPDX-License-Identifier: MIT */
/* Lets the program's calls of some libc functions come to the runtime first: ways out
   that libc tells nobody about (_exit and _Exit, and exec: exec.h), calls that take
   SIGPROF (sigprof-calls.h); and in libccprof.so.1 only the creation of threads
   (pthread_create) and the unloading of modules (dlclose), and jumps (jump.h).
   hooks-got.c is for libccprof.so.1, hooks-static.c for libccprof.a.  */

#ifndef CCPROF_HOOKS_H
#define CCPROF_HOOKS_H

/* From now on calls in all modules that there are come to the runtime, profiled or not.
   Constructor: then the loader is at work on no other module.  One thread at a time.  */
void ccprof_hooks_set(void);

#endif
