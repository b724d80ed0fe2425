/* SPDX-License-Identifier: MIT */
/* Calls of the program's that the runtime comes before: ways out that libc tells nobody
   about (_exit and _Exit), ways into a thread (pthread_create, in libccprof.so.1 only),
   and what takes SIGPROF (yield.h).
   hooks-got.c is for libccprof.so.1, hooks-static.c for libccprof.a.  */

#ifndef CCPROF_HOOKS_H
#define CCPROF_HOOKS_H

/* From now on calls in the module that holds ADDRESS come to the runtime.  Takes the
   loader's lock: never in a handler.  One thread at a time.  */
void ccprof_hooks_set(const void *address);

#endif
