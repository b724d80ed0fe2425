/* SPDX-License-Identifier: MIT */
/* The functions that take the place of those by which the program allocates and frees
   memory. Each calls the function of the program's allocator, libc's or another, and
   counts the block (heap.h).  The slots of the program's modules lead here
   (rt/process/hooks-got.c and hooks-allocators.c).  Only in libccprof.so.1.  */

#ifndef CCPROF_HEAP_CALLS_H
#define CCPROF_HEAP_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

/* C++'s operators new and delete.  They need functions of their own only if the allocator
   has operators of its own, as tcmalloc and jemalloc do: these call no function through a
   slot that the runtime changes.  The operators of C++'s library call malloc and free,
   where blocks are counted.  */

/* Finds out whose operators the program calls.  Constructor, before slots are changed. */
void ccprof_heap_operators_start(void);

/* Returns an address in the module of the allocator that has operators of its own, or
   null. The slots of this module must stay as they are: some of its operators call its
   functions through slots.  */
const void *ccprof_heap_operators_home(void);

/* Returns the function that takes the place of the operator NAME, or null.  */
void (*ccprof_heap_operators_find(const char *name))(void);

/* mmap and its kin, if the setting mmap asks for it, for modules that are compiled with
   ccprof. Anonymous mappings that can be written to are counted as blocks.  Mappings that
   libraries make are not: allocators map the memory of the blocks that they return.  */

/* Begins to count mappings of LEAST bytes and more.  Returns false if there is no memory.
   Constructor.  */
bool ccprof_heap_mmap_start(uint64_t least);

/* Returns whether mappings are counted.  */
bool ccprof_heap_mmap_is_on(void);

void *ccprof_heap_mmap_mmap(void *at, size_t size, int protection, int flags, int file,
                            off_t offset);
int ccprof_heap_mmap_munmap(void *at, size_t size);
void *ccprof_heap_mmap_mremap(void *at, size_t old_size, size_t size, int flags, ...);

#endif
