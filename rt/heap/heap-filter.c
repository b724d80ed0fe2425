/* SPDX-License-Identifier: MIT */
/* Implements filters.  Owns the one that is asked, and their pages, which are never given
   back: a thread may be reading them.  Called by heap.c with the lock of the heap held.
 */

#include <stddef.h>

#include "rt/heap/heap-filter.h"
#include "rt/os/sys.h"
#include "rt/os/memory.h"

static struct ccprof_heap_filter all = {.bits = {1}};

_Atomic(struct ccprof_heap_filter *) ccprof_heap_filter = &all;

struct ccprof_heap_filter *ccprof_heap_filter_make(uint64_t places, uint64_t *memory)
{
    const uint64_t bits = offsetof(struct ccprof_heap_filter, bits) + places / 8;
    const uint64_t counts = (bits + 63) & ~UINT64_C(63);
    struct ccprof_heap_filter *filter;
    struct ccprof_pages pages;

    if (!ccprof_pages_make(&pages, counts + places * sizeof *filter->count))
        return NULL;
    *memory += pages.size;
    filter = (void *)pages.at;
    filter->mask = places - 1;
    filter->count = (void *)(pages.at + counts);
    return filter;
}

void ccprof_heap_filter_add(struct ccprof_heap_filter *filter, uint64_t address)
{
    uint64_t place = ccprof_heap_filter_place(filter, address);

    if (filter->count[place]++ == 0)
        atomic_fetch_or_explicit(&filter->bits[place / 64], UINT64_C(1) << place % 64,
                                 memory_order_release);
}

void ccprof_heap_filter_remove(struct ccprof_heap_filter *filter, uint64_t address)
{
    uint64_t place = ccprof_heap_filter_place(filter, address);

    ccprof_assert(filter->count[place] != 0);
    if (--filter->count[place] == 0)
        atomic_fetch_and_explicit(&filter->bits[place / 64], ~(UINT64_C(1) << place % 64),
                                  memory_order_release);
}
