/* SPDX-License-Identifier: MIT */
/* Keeps which blocks of memory are alive: a table from addresses to sizes and stacks, in
   pages of its own.  Only heap-table.c uses this, in any thread; signals may come, but a
   handler must not call this.

   The addresses are divided into regions, each of which has a tree (heap-tree.h); the
   trees are found in a hash table.  What is allocated one after the other, or freed, is
   mostly in one place, and so is what is known of it here.  */

#ifndef CCPROF_HEAP_BLOCKS_H
#define CCPROF_HEAP_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-nodes.h"
#include "rt/os/lock.h"

struct ccprof_heap_block {
    uint64_t address; /* a multiple of 8; 0: none */
    uint64_t packed;  /* size and thread, see below */
    uint32_t stack;   /* number of the stack that has allocated it (heap-stacks.h) */
    uint32_t born;    /* when, in milliseconds on heap.c's clock */
};

/* No block is larger than these bits.  */
#define CCPROF_HEAP_BLOCK_SIZES ((UINT64_C(1) << 48) - 1)

/* Packs the bytes that the program has asked for, and the number of the thread that has
   allocated the block, of which the lower 16 bits are kept.  Two bit fields would be
   written one after the other and read at once, for which a processor waits.  */
static inline uint64_t ccprof_heap_block_pack(uint64_t size, uint32_t thread)
{
    return (size & CCPROF_HEAP_BLOCK_SIZES) | (uint64_t)thread << 48;
}

static inline uint64_t ccprof_heap_block_size(const struct ccprof_heap_block *block)
{
    return block->packed & CCPROF_HEAP_BLOCK_SIZES;
}

static inline uint16_t ccprof_heap_block_thread(const struct ccprof_heap_block *block)
{
    return (uint16_t)(block->packed >> 48);
}

/* The table is divided into shards, each of which has a lock of its own.  */
#define CCPROF_HEAP_BLOCKS_SHARDS 256

/* The first places for regions of each shard lie together, so that a table of few blocks
   is in the processor's caches.  */
#define CCPROF_HEAP_BLOCKS_FIRST 4

struct ccprof_heap_region {
    uint64_t number; /* bits of the addresses */
    uint64_t root;   /* of the tree; 0: this place is free */
};

struct ccprof_heap_shard {
    struct ccprof_heap_region *region; /* by hash, with open addressing */
    uint32_t regions;
    uint32_t places; /* a power of 2, or 0 */
    uint32_t count;  /* blocks */
    ccprof_spin busy;
    struct ccprof_heap_nodes nodes;
} __attribute__((aligned(64))); /* threads in two shards do not share a cache line */

/* All zeros is an empty table.  */
struct ccprof_heap_blocks {
    struct ccprof_heap_shard shard[CCPROF_HEAP_BLOCKS_SHARDS];
    struct ccprof_heap_region first[CCPROF_HEAP_BLOCKS_SHARDS][CCPROF_HEAP_BLOCKS_FIRST];
    struct ccprof_heap_pool pool;
};

/* Adds a block, whose address is not 0.  BEFORE becomes the block that was at the
   address, whose place this one takes, or one with address 0.  The table may map so many
   bytes in all as LIMIT says.  Returns false if there is no room.  Signals may come: a
   handler must not call this.  */
bool ccprof_heap_blocks_put(struct ccprof_heap_blocks *blocks,
                            const struct ccprof_heap_block *block, uint64_t limit,
                            struct ccprof_heap_block *before);

/* Takes the block at ADDRESS out of the table.  Returns false if there is none, or the
   lock cannot be had.  */
bool ccprof_heap_blocks_take(struct ccprof_heap_blocks *blocks, uint64_t address,
                             struct ccprof_heap_block *block);

/* Calls BLOCK with OF for each block, and what is known of it.  Nobody must change the
 * table meanwhile.  */
void ccprof_heap_blocks_each(const struct ccprof_heap_blocks *blocks,
                             void (*block)(void *of, uint64_t address,
                                           const struct ccprof_heap_record *record),
                             void *of);

#endif
