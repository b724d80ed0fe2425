/* SPDX-License-Identifier: MIT */
/* The table of counted blocks that are in use: it maps addresses to sizes and stacks,
   and has its own pages. Any thread may call the functions of the table, but no
   signal handler may. The module has two further parts:

     - The filter, if blocks are sampled. It needs no lock and answers "not in the table"
       for nearly every freed block.
     - The list of counted mappings. Each mapping is also a block of the table. The list
       is needed since the program may unmap a part of a mapping, or several at once.

   The addresses are divided into regions, and each region has a tree of blocks
   (tree.h). A hash table finds the tree of a region. Programs often allocate and
   free neighbouring blocks one after the other, and the tree keeps neighbours
   together. */

#ifndef CCPROF_HEAP_BLOCKS_H
#define CCPROF_HEAP_BLOCKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/tree.h"
#include "rt/os/lock.h"

struct ccprof_heap_block {
    uint64_t address; /* a multiple of 8; 0: no block */
    uint64_t size;    /* bytes that the program requested */
    uint32_t stack;   /* number of the stack that allocated it (stacks.h) */
    uint32_t born;    /* time of allocation: milliseconds on heap.c's clock */
};

/* The filter. Each address is hashed to an index, and each index has a bit, which is
   set if a block of the table has this index. The thread that frees a block received
   its address from the thread that allocated it, so it sees the bit that was set at
   the allocation, in this filter or in the larger filter that has replaced it.
   Neighbouring addresses have neighbouring indexes, so that the bits of blocks that
   are used at the same time share cache lines. */
#define CCPROF_HEAP_FILTER_LEAST (UINT64_C(1) << 16)
#define CCPROF_HEAP_FILTER_MOST  (UINT64_C(1) << 24)

struct ccprof_heap_filter {
    uint64_t mask;             /* number of indexes, a power of 2, minus 1 */
    uint32_t *count;           /* blocks of the table with each index */
    _Atomic(uint64_t) bits[1]; /* first word; the others follow */
};

/* The filter in use. It rejects every address until blocks are counted. If every block
   is counted, it then accepts every address. */
extern _Atomic(struct ccprof_heap_filter *) ccprof_heap_filter;

static inline uint64_t ccprof_heap_filter_place(const struct ccprof_heap_filter *filter,
                                                uint64_t address)
{
    return (address >> 4 ^ address >> 20) & filter->mask;
}

/* Returns false if the block at ADDRESS is certainly not in the table. Any thread, also
   in signal handlers. */
static inline bool ccprof_heap_filter_may(const void *address)
{
    struct ccprof_heap_filter *filter =
        atomic_load_explicit(&ccprof_heap_filter, memory_order_acquire);
    uint64_t place = ccprof_heap_filter_place(filter, (uintptr_t)address);

    return atomic_load_explicit(&filter->bits[place / 64], memory_order_relaxed) >>
               place % 64 &
           1;
}

/* Makes a filter with PLACES indexes, which is not in use yet. Adds the number of
   mapped bytes to *MEMORY. Returns null if there is no memory. */
struct ccprof_heap_filter *ccprof_heap_filter_make(uint64_t places, uint64_t *memory);

/* Record that the block at ADDRESS was added to the table, and that it was removed.
   Only one thread at a time may call these functions. */
void ccprof_heap_filter_add(struct ccprof_heap_filter *filter, uint64_t address);
void ccprof_heap_filter_remove(struct ccprof_heap_filter *filter, uint64_t address);

/* Number of shards of the table. Each shard has its own lock. */
#define CCPROF_HEAP_BLOCKS_SHARDS 256

/* Number of entries that each shard has at first for its regions. The first entries
   of all shards are in one array, so that a table with few blocks fits into the
   processor's caches. */
#define CCPROF_HEAP_BLOCKS_FIRST 4

struct ccprof_heap_region {
    uint64_t number; /* upper bits of its addresses */
    uint64_t root;   /* root of the tree; 0: this entry is free */
};

struct ccprof_heap_shard {
    struct ccprof_heap_region *region; /* hash table with open addressing */
    uint32_t regions;
    uint32_t places; /* number of entries: a power of 2, or 0 */
    uint32_t count;  /* number of blocks */
    ccprof_spin busy;
    struct ccprof_heap_nodes nodes;
} __attribute__((aligned(64))); /* threads in two shards do not share a cache line */

/* The table of blocks. A structure of zeros is an empty table without a filter. If
   the table has a filter, only one thread at a time may change the table. */
struct ccprof_heap_blocks {
    struct ccprof_heap_filter *filter; /* null: every block is counted */
    uint64_t filtered;                 /* number of blocks in the filter */
    uint64_t filters;                  /* bytes mapped for all filters */
    struct ccprof_heap_shard shard[CCPROF_HEAP_BLOCKS_SHARDS];
    struct ccprof_heap_region first[CCPROF_HEAP_BLOCKS_SHARDS][CCPROF_HEAP_BLOCKS_FIRST];
    struct ccprof_heap_pool pool;
};

/* Gives an empty table a filter, which grows with the table, and puts the filter into
   use. Returns false if there is no memory. */
bool ccprof_heap_blocks_use_filter(struct ccprof_heap_blocks *blocks);

/* Must be called before the first block is counted: if BLOCKS has no filter, every
   address is accepted from now on. Async-signal-safe. */
void ccprof_heap_blocks_record(const struct ccprof_heap_blocks *blocks);

/* Adds a block, whose address must not be 0. If the table has a block at this
   address, it is replaced and copied to REPLACED; otherwise REPLACED gets the address 0.
   LIMIT is the maximum number of bytes that the table may map in total. Returns false
   if there is no room. */
bool ccprof_heap_blocks_put(struct ccprof_heap_blocks *blocks,
                            const struct ccprof_heap_block *block, uint64_t limit,
                            struct ccprof_heap_block *replaced);

/* Removes the block at ADDRESS from the table and copies it to BLOCK. Returns false
   if there is no such block, or if the lock is not free in time. */
bool ccprof_heap_blocks_take(struct ccprof_heap_blocks *blocks, uint64_t address,
                             struct ccprof_heap_block *block);

/* Calls BLOCK with CONTEXT for each block. The table must not change meanwhile. */
void ccprof_heap_blocks_each(const struct ccprof_heap_blocks *blocks,
                             void (*block)(void *context, uint64_t address,
                                           const struct ccprof_heap_record *record),
                             void *context);

/* Returns the number of mapped bytes, not counting the structure itself. */
uint64_t ccprof_heap_blocks_memory(const struct ccprof_heap_blocks *blocks);

/* Maximum number of mappings in the list. */
#define CCPROF_HEAP_MAPPINGS 65536

struct ccprof_heap_mapping {
    uint64_t from, to; /* addresses; TO is after the last byte */
};

/* Maps memory for the list of mappings. Returns false if there is no memory. Called
   by the constructor. */
bool ccprof_heap_mappings_start(void);

/* Take and release the lock of the list. Hold returns false if the lock is not free
   within PATIENCE nanoseconds. Do not call these in a signal handler, except for
   fork. */
bool ccprof_heap_mappings_hold(uint64_t patience);
void ccprof_heap_mappings_release(void);

/* Adds a mapping, which must not overlap with others. Returns false if there is no
   room. The caller holds the lock. */
bool ccprof_heap_mappings_put(struct ccprof_heap_mapping mapping);

/* Removes one of the mappings that overlap with RANGE and copies it to MAPPING.
   Returns false if there is none. The caller holds the lock. */
bool ccprof_heap_mappings_take(struct ccprof_heap_mapping range,
                               struct ccprof_heap_mapping *mapping);

/* Returns the number of bytes mapped for the list. */
uint64_t ccprof_heap_mappings_memory(void);

#endif
