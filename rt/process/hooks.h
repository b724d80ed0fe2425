/* SPDX-License-Identifier: MIT */
/* Lets the program's calls of some libc functions come to the runtime first: ways out
   that libc does not announce (_exit and _Exit, and exec: exec.h), calls that concern
   SIGPROF (sigprof-calls.h), the creation of threads (thread-create.h) and jumps
   (jump.h), and calls that forbid system calls (strict.h).  In libccprof.so.1 there are
   also thrd_create, sigsetjmp and the unloading of modules (dlclose).  hooks-got.c is for
   libccprof.so.1, hooks-static.c for libccprof.a.  */

#ifndef CCPROF_HOOKS_H
#define CCPROF_HOOKS_H

#include <stdint.h>

/* Lets the calls in all loaded modules, profiled or not, come to the runtime.
   Constructor, when the loader is working on no other module.  One thread at a time.  */
void ccprof_hooks_set(void);

/* Starts to measure the heap (rt/heap/heap.h): from the next ccprof_hooks_set on, calls
   of allocators come to the runtime, too.  SIZE is as there.  LEAST is how large mappings
   are that are counted, 0 if none is: of blocks that are sampled eight times SIZE at
   least, since nearly all of that size would be sampled.  Returns NULL, or why that is
   not possible.  Constructor, once.  */
const char *ccprof_hooks_start_heap(uint64_t size, uint64_t least);

#endif
