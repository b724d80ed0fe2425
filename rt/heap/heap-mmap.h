/* SPDX-License-Identifier: MIT */
/* Takes the place of mmap and its kin in modules that are compiled with ccprof, where the
   setting mmap asks for that: anonymous mappings that can be written to are counted as
   blocks.  What a library maps is not, since allocators map what they give away.  Called
   wherever the program calls these functions, signal handlers included.  */

#ifndef CCPROF_HEAP_MMAP_H
#define CCPROF_HEAP_MMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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
