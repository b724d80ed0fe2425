/* SPDX-License-Identifier: MIT */
/* Keeps which blocks of memory are alive: a hash table from addresses to sizes and
   stacks, in pages of its own.  Only heap.c uses this, one thread at a time.  */

#ifndef CCPROF_HEAP_BLOCKS_H
#define CCPROF_HEAP_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct ccprof_heap_block {
    uint64_t address;     /* 0: this place is free */
    uint64_t size : 48;   /* bytes that the program has asked for */
    uint64_t thread : 16; /* the thread that has allocated it: a number's lower bits */
    uint32_t stack;       /* number of the stack that has allocated it (heap-stacks.h) */
    uint32_t born;        /* when, in milliseconds on heap.c's clock */
};

/* The table is divided into shards, each of which grows on its own: so no single call has
   to move all blocks.  */
#define CCPROF_HEAP_BLOCKS_SHARDS 256

/* The first places of each shard lie together, so that a table of few blocks is in the
   processor's caches.  */
#define CCPROF_HEAP_BLOCKS_FIRST 16

struct ccprof_heap_shard {
    struct ccprof_heap_block *block;
    uint32_t count;
    uint32_t places; /* a power of 2, or 0 */
};

/* All zeros is an empty table.  */
struct ccprof_heap_blocks {
    struct ccprof_heap_shard shard[CCPROF_HEAP_BLOCKS_SHARDS];
    struct ccprof_heap_block first[CCPROF_HEAP_BLOCKS_SHARDS][CCPROF_HEAP_BLOCKS_FIRST];
    uint64_t count;  /* of all blocks */
    uint64_t memory; /* bytes that are mapped beside the table itself */
};

/* Returns how many blocks the table has.  */
static inline uint64_t ccprof_heap_blocks_count(const struct ccprof_heap_blocks *blocks)
{
    return blocks->count;
}

/* Adds a block, whose address is not 0 and not in the table.  The table may map so many
   bytes in all as LIMIT says.  Returns false if there is no room.  Signals may come: a
   handler must not call this.  */
bool ccprof_heap_blocks_add(struct ccprof_heap_blocks *blocks,
                            const struct ccprof_heap_block *block, uint64_t limit);

/* Takes the block at ADDRESS out of the table.  Returns false if there is none.  */
bool ccprof_heap_blocks_take(struct ccprof_heap_blocks *blocks, uint64_t address,
                             struct ccprof_heap_block *block);

#endif
