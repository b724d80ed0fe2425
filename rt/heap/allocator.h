/* SPDX-License-Identifier: MIT */
/* The program calls these replacements when it allocates or frees memory. Each
   replacement calls the function of the program's allocator, which is libc's or
   another one, and reports the block to heap.h. The runtime changes the slots of the
   program's modules so that they contain the addresses of these replacements
   (rt/entry/hooks-got.c, rt/entry/hooks-module.c). Only in libccprof.so.1. */

#ifndef CCPROF_HEAP_ALLOCATOR_H
#define CCPROF_HEAP_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Replace the functions of the same names. Called by the program, in any thread. */
void *ccprof_heap_allocator_malloc(size_t size);
void *ccprof_heap_allocator_calloc(size_t count, size_t size);
void *ccprof_heap_allocator_realloc(void *address, size_t size);
void *ccprof_heap_allocator_reallocarray(void *address, size_t count, size_t size);
void ccprof_heap_allocator_free(void *address);
void *ccprof_heap_allocator_aligned_alloc(size_t alignment, size_t size);
void *ccprof_heap_allocator_memalign(size_t alignment, size_t size);
int ccprof_heap_allocator_posix_memalign(void **result, size_t alignment, size_t size);
void *ccprof_heap_allocator_valloc(size_t size);
void *ccprof_heap_allocator_pvalloc(size_t size);

/* C++'s operators new and delete. They need replacements only if the allocator has
   its own operators, as in tcmalloc and jemalloc: these operators do not call malloc
   and free through slots that the runtime has changed. The operators of C++'s library
   call malloc and free, where blocks are counted. */

/* Finds out which operators the program uses. Called by the constructor, before slots
   are changed. */
void ccprof_heap_operators_start(void);

/* Returns an address in the module of an allocator with its own operators, or null.
   The slots of this module must not be changed, since some of its operators call its
   functions through slots. */
const void *ccprof_heap_operators_home(void);

/* Returns the replacement for the operator NAME, or null. */
void (*ccprof_heap_operators_find(const char *name))(void);

/* Replacements for mmap, munmap and mremap, if the setting mmap is used, in modules
   that are compiled with ccprof. Anonymous writable mappings are counted as blocks.
   Mappings made by libraries are not counted, since allocators map the memory of the
   blocks that they return. */

/* Starts counting mappings of at least LEAST bytes. Returns false if there is no
   memory. Called by the constructor. */
bool ccprof_heap_mmap_start(uint64_t least);

/* Returns whether mappings are counted. */
bool ccprof_heap_mmap_is_on(void);

void *ccprof_heap_mmap_mmap(void *address, size_t size, int protection, int flags,
                            int file, off_t offset);
int ccprof_heap_mmap_munmap(void *address, size_t size);
void *ccprof_heap_mmap_mremap(void *address, size_t old_size, size_t size, int flags,
                              ...);

#endif
