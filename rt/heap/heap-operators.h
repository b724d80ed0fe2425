/* SPDX-License-Identifier: MIT */
/* Takes the place of C++'s operators new and delete where the allocator has operators of
   its own, as tcmalloc and jemalloc do: these call no function whose slot is changed.
   Those of C++'s library call malloc and free, where blocks are counted (heap-calls.h),
   and are left alone.  Only in libccprof.so.1.  */

#ifndef CCPROF_HEAP_OPERATORS_H
#define CCPROF_HEAP_OPERATORS_H

/* Finds out whose operators the program calls.  Constructor, before any slot is
   changed.  */
void ccprof_heap_operators_start(void);

/* Returns an address in the module of the allocator that has operators of its own, or
   null. What this module itself calls is not to come to the runtime: some of its
   operators call its functions through slots.  */
const void *ccprof_heap_operators_home(void);

/* Returns what takes the place of the function NAME, or null.  */
void (*ccprof_heap_operators_find(const char *name))(void);

#endif
