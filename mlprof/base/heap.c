/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/base/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Sizes in bytes.  Memory that is reserved but never touched costs nothing.  */
#define RESERVED (64 << 20) /* the heap's first part, which has large pages */
#define STEP     (1 << 20)  /* the heap then grows by as much */
#define APART    (16 << 20) /* arrays of this size are mapped, and grow without copies */

void heap_begin(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)sbrk(0);
    mallopt(M_MMAP_THRESHOLD, APART);
    mallopt(M_TRIM_THRESHOLD, 2 * RESERVED);
    mallopt(M_TOP_PAD, RESERVED);
    /* The piece is larger than what malloc may have left of the heap.  The pointer is
       volatile, since GCC would leave out the call otherwise.  */
    void *volatile first = malloc(STEP);
    free(first);
    mallopt(M_TOP_PAD, STEP);
    uintptr_t end = (uintptr_t)sbrk(0);
    start = (start + page - 1) / page * page;
    if (end > start)
        madvise((void *)start, end - start, MADV_HUGEPAGE);
}
