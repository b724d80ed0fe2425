/* SPDX-License-Identifier: MIT */
/* The blocks of memory that are in use and counted: a table from addresses to sizes and
   stacks, in pages of its own.  Any thread may call these functions for the table; a
   signal's handler must not.  Beside the table are two things that belong to it:

    - Where blocks are sampled, a filter that needs no lock.  For nearly every freed block
      it answers "not in the table".
    - The list of counted mappings.  A mapping is also a block of the table, but the
      program may unmap a part of it, or several at once.

   The addresses are divided into regions, and each region has a tree of blocks (tree.h).
   A hash table finds the tree of a region.  Programs mostly allocate and free neighbours
   one after the other, and the tree keeps neighbours together.  */

#ifndef CCPROF_HEAP_BLOCKS_H
#define CCPROF_HEAP_BLOCKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/tree.h"
#include "rt/os/lock.h"

struct ccprof_heap_block {
    uint64_t address; /* a multiple of 8; 0: none */
    uint64_t packed;  /* size and thread, see below */
    uint32_t stack;   /* number of the stack that has allocated it (stacks.h) */
    uint32_t born;    /* when, in milliseconds on heap.c's clock */
};

/* No block is larger than these bits.  */
#define CCPROF_HEAP_BLOCK_SIZES ((UINT64_C(1) << 48) - 1)

/* Packs the bytes that the program has asked for, and the lower 16 bits of the number of
   the thread that has allocated the block.  A processor stalls if it reads at once two
   bit fields that it has just written separately.  */
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

/* The filter.  Addresses are hashed to places, and each place has a bit, which is set if
   a block of the table has the place.  A thread that frees a block received its address
   from the thread that allocated it.  So it sees the bit that was set before, in this
   filter or in the larger one that has replaced it since.  Neighbours have neighbouring
   places, so that the bits of blocks that are used at the same time share cache lines. */
#define CCPROF_HEAP_FILTER_LEAST (UINT64_C(1) << 16)
#define CCPROF_HEAP_FILTER_MOST  (UINT64_C(1) << 24)

struct ccprof_heap_filter {
    uint64_t mask;             /* the number of places, a power of 2, less 1 */
    uint32_t *count;           /* by place: blocks of the table that have it */
    _Atomic(uint64_t) bits[1]; /* more of them follow */
};

/* The filter in use.  At first, and if each block is counted, it is one that lets every
   address through.  */
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

/* Makes a filter with PLACES, which is not in use yet.  Adds the bytes that it maps to
 *MEMORY.  Returns null if there is no memory.  */
struct ccprof_heap_filter *ccprof_heap_filter_make(uint64_t places, uint64_t *memory);

/* Note that the block at ADDRESS has come into the table, and has left it.  One thread at
   a time.  */
void ccprof_heap_filter_add(struct ccprof_heap_filter *filter, uint64_t address);
void ccprof_heap_filter_remove(struct ccprof_heap_filter *filter, uint64_t address);

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

/* All zeros is an empty table without a filter.  With a filter, only one thread at a time
   may change the table.  */
struct ccprof_heap_blocks {
    struct ccprof_heap_filter *filter; /* null: each block is counted */
    uint64_t filtered;                 /* blocks that are in the filter */
    uint64_t filters;                  /* bytes that are mapped for all filters */
    struct ccprof_heap_shard shard[CCPROF_HEAP_BLOCKS_SHARDS];
    struct ccprof_heap_region first[CCPROF_HEAP_BLOCKS_SHARDS][CCPROF_HEAP_BLOCKS_FIRST];
    struct ccprof_heap_pool pool;
};

/* Gives an empty table a filter, which grows with the table and is then in use.  Returns
   false if there is no memory.  */
bool ccprof_heap_blocks_use_filter(struct ccprof_heap_blocks *blocks);

/* Adds a block, whose address is not 0.  BEFORE becomes the block that was at the address
   and is replaced, or one with address 0.  LIMIT is how many bytes the table may map in
   all.  Returns false if there is no room.  */
bool ccprof_heap_blocks_put(struct ccprof_heap_blocks *blocks,
                            const struct ccprof_heap_block *block, uint64_t limit,
                            struct ccprof_heap_block *before);

/* Takes the block at ADDRESS out of the table.  Returns false if there is none, or if the
   lock cannot be had.  */
bool ccprof_heap_blocks_take(struct ccprof_heap_blocks *blocks, uint64_t address,
                             struct ccprof_heap_block *block);

/* Calls BLOCK with OF for each block.  Nobody must change the table meanwhile.  */
void ccprof_heap_blocks_each(const struct ccprof_heap_blocks *blocks,
                             void (*block)(void *of, uint64_t address,
                                           const struct ccprof_heap_record *record),
                             void *of);

/* Returns the bytes that are mapped beside the table itself.  */
uint64_t ccprof_heap_blocks_memory(const struct ccprof_heap_blocks *blocks);

/* The most mappings that are kept.  */
#define CCPROF_HEAP_MAPPINGS 65536

struct ccprof_heap_mapping {
    uint64_t from, to; /* addresses: of its first byte, and behind its last one */
};

/* Makes room for the list of mappings.  Returns false if there is no memory.
   Constructor.  */
bool ccprof_heap_mappings_start(void);

/* Take and release the lock of the list.  Hold returns false if the lock cannot be had
   within PATIENCE nanoseconds.  Not in a signal's handler, except for fork.  */
bool ccprof_heap_mappings_hold(uint64_t patience);
void ccprof_heap_mappings_release(void);

/* Adds a mapping, which overlaps none of the others.  Returns false if there is no room.
   The lock is held.  */
bool ccprof_heap_mappings_put(struct ccprof_heap_mapping mapping);

/* Takes out one of the mappings that overlap RANGE.  Returns false if there is none.  The
   lock is held.  */
bool ccprof_heap_mappings_take(struct ccprof_heap_mapping range,
                               struct ccprof_heap_mapping *mapping);

/* Returns the bytes that are mapped for the list.  */
uint64_t ccprof_heap_mappings_memory(void);

#endif
