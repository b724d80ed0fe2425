/* SPDX-License-Identifier: MIT */
/* Calls of the program's that the runtime comes before: ways out that libc tells nobody
   about (_exit and _Exit), what takes SIGPROF (yield.h); and in libccprof.so.1 only ways
   into a thread (pthread_create) and out of memory (dlclose).
   hooks-got.c is for libccprof.so.1, hooks-static.c for libccprof.a.  */

#ifndef CCPROF_HOOKS_H
#define CCPROF_HOOKS_H

/* From now on calls in the module that holds ADDRESS come to the runtime, and those of
   dlclose in all modules that there are.  Constructor of that module, one thread at a
   time.  */
void ccprof_hooks_set(const void *address);

#endif
