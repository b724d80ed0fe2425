/* SPDX-License-Identifier: MIT */
/* The blocks that are alive and counted, and where blocks are sampled the filter that
   tells of most others that they are not there.  Only heap.c uses this, in any thread
   that is inside; where there is a filter, with the heap's lock held.  */

#ifndef CCPROF_HEAP_TABLE_H
#define CCPROF_HEAP_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-blocks.h"
#include "rt/heap/heap-filter.h"

struct ccprof_heap_table {
    struct ccprof_heap_filter *filter; /* of BLOCKS; null: each block is counted */
    uint64_t filtered;                 /* blocks that are in the filter */
    uint64_t filters;                  /* bytes that are mapped for it and those before */
    struct ccprof_heap_blocks blocks;
};

/* Gives a table of zeros, for blocks that are sampled, a filter.  Returns false if there
   is no memory.  */
bool ccprof_heap_table_filter(struct ccprof_heap_table *table);

/* Puts the block into the table.  BEFORE becomes the block that was at its address, or
   one with address 0.  Returns false if there is no room.  */
bool ccprof_heap_table_put(struct ccprof_heap_table *table,
                           const struct ccprof_heap_block *block,
                           struct ccprof_heap_block *before);

/* Takes the block at AT out of the table.  Returns false if it is not there.  */
bool ccprof_heap_table_take(struct ccprof_heap_table *table, const void *at,
                            struct ccprof_heap_block *block);

/* Returns the bytes that are mapped beside the table itself.  */
uint64_t ccprof_heap_table_memory(const struct ccprof_heap_table *table);

#endif
