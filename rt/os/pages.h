/* SPDX-License-Identifier: MIT */
/* Gets memory from the kernel for all rooms, since the runtime never calls malloc.  All
   functions are async-signal-safe and leave errno alone.  */

#ifndef CCPROF_PAGES_H
#define CCPROF_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maps SIZE bytes of zeros; returns null if there is no memory.  The caller gives the
   bytes back with munmap.  */
void *ccprof_pages_map(size_t size);

/* Mapped bytes; AT is null if there are none.  */
struct ccprof_pages {
    uint8_t *at;
    size_t size;
};

/* Maps SIZE bytes of zeros.  Returns false if there is no memory.  */
bool ccprof_pages_make(struct ccprof_pages *pages, uint64_t size);

/* Unmaps the bytes, if there are any.  */
void ccprof_pages_free(struct ccprof_pages *pages);

#endif
