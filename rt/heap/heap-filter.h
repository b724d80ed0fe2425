/* SPDX-License-Identifier: MIT */
/* Tells of nearly all blocks that are freed that they are not in the table of blocks,
   without a lock: where blocks are sampled most are not.

   A filter is a bit for each place, and addresses have places: the bit is set if a block
   of the table has the place.  Who frees a block has got its address from who has
   allocated it, and so sees the bit that was set before, in this filter or in one that
   has taken its place since.  Places of neighbours are neighbours, so that the bits for
   what a program uses at the same time lie together.  Only heap.c changes filters, one
   thread at a time; heap-calls.c asks them.  */

#ifndef CCPROF_HEAP_FILTER_H
#define CCPROF_HEAP_FILTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define CCPROF_HEAP_FILTER_LEAST (UINT64_C(1) << 16)
#define CCPROF_HEAP_FILTER_MOST  (UINT64_C(1) << 24)

struct ccprof_heap_filter {
    uint64_t mask;             /* the number of places, a power of 2, less 1 */
    uint32_t *count;           /* by place: blocks of the table that have it */
    _Atomic(uint64_t) bits[1]; /* more of them follow */
};

/* The filter that is asked.  At first all blocks may be in the table, as where each block
   is counted.  */
extern _Atomic(struct ccprof_heap_filter *) ccprof_heap_filter;

static inline uint64_t ccprof_heap_filter_place(const struct ccprof_heap_filter *filter,
                                                uint64_t address)
{
    return (address >> 4 ^ address >> 20) & filter->mask;
}

/* Returns false if the block at AT is not in the table.  Any thread, signal handlers
   included.  */
static inline bool ccprof_heap_filter_may(const void *at)
{
    struct ccprof_heap_filter *filter =
        atomic_load_explicit(&ccprof_heap_filter, memory_order_acquire);
    uint64_t place = ccprof_heap_filter_place(filter, (uintptr_t)at);

    return atomic_load_explicit(&filter->bits[place / 64], memory_order_relaxed) >>
               place % 64 &
           1;
}

/* Makes a filter with PLACES; returns null if there is no memory.  *MEMORY grows by the
   bytes that are mapped.  Nobody asks it yet.  */
struct ccprof_heap_filter *ccprof_heap_filter_make(uint64_t places, uint64_t *memory);

/* Tell that the block at ADDRESS is in the table, and is not any more.  */
void ccprof_heap_filter_add(struct ccprof_heap_filter *filter, uint64_t address);
void ccprof_heap_filter_remove(struct ccprof_heap_filter *filter, uint64_t address);

#endif
