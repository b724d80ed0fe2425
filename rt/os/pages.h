/* SPDX-License-Identifier: MIT */
/* Gets memory from the kernel, for all rooms: the runtime never calls malloc.
   Async-signal-safe, and leaves errno alone.  */

#ifndef CCPROF_PAGES_H
#define CCPROF_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SIZE bytes, all 0; null if there is no memory.  munmap gives them back.  */
void *ccprof_pages_map(size_t size);

/* Bytes in pages of their own; AT is null if there are none.  */
struct ccprof_pages {
    uint8_t *at;
    size_t size;
};

/* Maps SIZE bytes, all 0; returns false if there is no memory.  */
bool ccprof_pages_make(struct ccprof_pages *pages, uint64_t size);

/* Unmaps them, if there are any.  */
void ccprof_pages_free(struct ccprof_pages *pages);

#endif
