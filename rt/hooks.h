/* SPDX-License-Identifier: MIT */
/* Ways out of the program that libc tells nobody about: _exit and _Exit; and ways
   into a thread: pthread_create (in libccprof.so.1 only).
   hooks-got.c is for libccprof.so.1, hooks-static.c for libccprof.a.  */

#ifndef CCPROF_HOOKS_H
#define CCPROF_HOOKS_H

/* From now on calls of _exit and _Exit in the module that holds ADDRESS write
   the profile first, and threads that it makes are sampled at once.  Takes the loader's
   lock: never in a handler.  One thread at a time.  */
void ccprof_hooks_set(const void *address);

#endif
