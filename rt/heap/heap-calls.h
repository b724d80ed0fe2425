/* SPDX-License-Identifier: MIT */
/* Takes the place of the functions by which the program allocates and frees memory, for
   rt/process/hooks-got.c.  Each of them calls the allocator that the program has, libc's
   or another, and counts the block (heap.h).  The operators new and delete of C++ are
   counted by what they call, if they call these (heap-operators.h).  Only in
   libccprof.so.1.  */

#ifndef CCPROF_HEAP_CALLS_H
#define CCPROF_HEAP_CALLS_H

#include <stddef.h>

/* Replace the functions of the same names.  Any thread.  */
void *ccprof_heap_calls_malloc(size_t size);
void *ccprof_heap_calls_calloc(size_t count, size_t size);
void *ccprof_heap_calls_realloc(void *at, size_t size);
void *ccprof_heap_calls_reallocarray(void *at, size_t count, size_t size);
void ccprof_heap_calls_free(void *at);
void *ccprof_heap_calls_aligned_alloc(size_t alignment, size_t size);
void *ccprof_heap_calls_memalign(size_t alignment, size_t size);
int ccprof_heap_calls_posix_memalign(void **at, size_t alignment, size_t size);
void *ccprof_heap_calls_valloc(size_t size);
void *ccprof_heap_calls_pvalloc(size_t size);

#endif
