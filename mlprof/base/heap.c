/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/base/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* In bytes.  Memory that is never touched costs nothing.  */
#define RESERVED (64 << 20) /* as much has large pages */
#define STEP     (1 << 20)  /* what follows is taken in such pieces */
#define APART    (16 << 20) /* an array of this size grows without being copied */

void heap_begin(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)sbrk(0);
    mallopt(M_MMAP_THRESHOLD, APART);
    mallopt(M_TRIM_THRESHOLD, 2 * RESERVED);
    mallopt(M_TOP_PAD, RESERVED);
    /* More than is left of what malloc may have taken already; GCC would leave it out. */
    void *volatile first = malloc(STEP);
    free(first);
    mallopt(M_TOP_PAD, STEP);
    uintptr_t end = (uintptr_t)sbrk(0);
    start = (start + page - 1) / page * page;
    if (end > start)
        madvise((void *)start, end - start, MADV_HUGEPAGE);
}
