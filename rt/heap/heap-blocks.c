/* SPDX-License-Identifier: MIT */
/* Implements the table of blocks with open addressing and linear probing.  Owns the pages
   of the shards.  Called by heap.c, in any thread that allocates or frees.  */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/single_threaded.h>

#include "rt/heap/heap-blocks.h"
#include "rt/os/assert.h"
#include "rt/os/pages.h"

/* A page of 4096 bytes holds the places that a shard has next after the first ones.  */
#define BLOCKS_NEXT 128

/* Of so many places, at most this many are taken.  */
#define BLOCKS_OF   8
#define BLOCKS_MOST 6

/* Nanoseconds that a thread waits for a shard.  */
#define BLOCKS_PATIENCE 10000000000u

/* Blocks are aligned to 16 bytes on all processors that ccprof supports.  */
static uint64_t blocks_hash(uint64_t address)
{
    return (address >> 4) * UINT64_C(0x9e3779b97f4a7c15);
}

static struct ccprof_heap_shard *blocks_shard(struct ccprof_heap_blocks *blocks,
                                              uint64_t address)
{
    return &blocks->shard[blocks_hash(address) >> 56];
}

/* Returns the place where the block at ADDRESS belongs if no other one is there.  The
   highest bits of the hash are the shard's number.  */
static uint32_t blocks_home(const struct ccprof_heap_shard *shard, uint64_t address)
{
    return (uint32_t)(blocks_hash(address) >> 24) & (shard->places - 1);
}

/* Returns the place of the block at ADDRESS, or the free place where it would be.  */
static uint32_t blocks_find(const struct ccprof_heap_shard *shard, uint64_t address)
{
    uint32_t at = blocks_home(shard, address);

    while (shard->block[at].address != 0 && shard->block[at].address != address)
        at = (at + 1) & (shard->places - 1);
    return at;
}

static bool blocks_grow(struct ccprof_heap_blocks *blocks,
                        struct ccprof_heap_shard *shard, uint64_t limit)
{
    if (shard->places == 0) {
        shard->block = blocks->first[shard - blocks->shard];
        shard->places = CCPROF_HEAP_BLOCKS_FIRST;
        return true;
    }
    bool is_first = shard->places == CCPROF_HEAP_BLOCKS_FIRST;
    struct ccprof_heap_shard next = {.places =
                                         is_first ? BLOCKS_NEXT : 2 * shard->places};
    struct ccprof_pages old = {is_first ? NULL : (void *)shard->block,
                               is_first ? 0 : shard->places * sizeof *shard->block};
    struct ccprof_pages pages;
    uint64_t size = (uint64_t)next.places * sizeof *next.block;

    if (next.places == 0 || atomic_load(&blocks->memory) + size > limit ||
        !ccprof_pages_make(&pages, size))
        return false;
    next.block = (void *)pages.at;
    for (uint32_t i = 0; i < shard->places; i++)
        if (shard->block[i].address != 0)
            next.block[blocks_find(&next, shard->block[i].address)] = shard->block[i];
    shard->block = next.block;
    shard->places = next.places;
    atomic_fetch_add(&blocks->memory, size - old.size);
    ccprof_pages_free(&old);
    return true;
}

/* A process with one thread needs no lock, and cannot get another one while the thread is
   in here.  */
static bool blocks_lock(struct ccprof_heap_shard *shard)
{
    return __libc_single_threaded || ccprof_spin_try_once(&shard->busy) ||
           ccprof_spin_wait(&shard->busy, BLOCKS_PATIENCE);
}

static void blocks_unlock(struct ccprof_heap_shard *shard)
{
    if (!__libc_single_threaded)
        ccprof_spin_release(&shard->busy);
}

static bool blocks_put(struct ccprof_heap_blocks *blocks, struct ccprof_heap_shard *shard,
                       const struct ccprof_heap_block *block, uint64_t limit,
                       struct ccprof_heap_block *before)
{
    struct ccprof_heap_block *to = NULL;

    if (shard->places != 0)
        to = &shard->block[blocks_find(shard, block->address)];
    if (to && to->address != 0) {
        *before = *to;
        *to = *block;
        return true;
    }
    if (shard->count >= shard->places / BLOCKS_OF * BLOCKS_MOST) {
        if (!blocks_grow(blocks, shard, limit))
            return false;
        to = &shard->block[blocks_find(shard, block->address)];
    }
    *to = *block;
    shard->count++;
    return true;
}

bool ccprof_heap_blocks_put(struct ccprof_heap_blocks *blocks,
                            const struct ccprof_heap_block *block, uint64_t limit,
                            struct ccprof_heap_block *before)
{
    struct ccprof_heap_shard *shard = blocks_shard(blocks, block->address);

    ccprof_assert(block->address != 0);
    before->address = 0;
    if (!blocks_lock(shard))
        return false;
    bool put = blocks_put(blocks, shard, block, limit, before);
    blocks_unlock(shard);
    return put;
}

/* Fills the place AT, which has become free, with a block further on that is not at its
   own place because of this one, and so on.  */
static void blocks_close(struct ccprof_heap_shard *shard, uint32_t at)
{
    const uint32_t mask = shard->places - 1;

    for (uint32_t next = (at + 1) & mask; shard->block[next].address != 0;
         next = (next + 1) & mask) {
        uint32_t home = blocks_home(shard, shard->block[next].address);
        if (((next - home) & mask) < ((next - at) & mask))
            continue;
        shard->block[at] = shard->block[next];
        at = next;
    }
    shard->block[at].address = 0;
}

static bool blocks_take(struct ccprof_heap_shard *shard, uint64_t address,
                        struct ccprof_heap_block *block)
{
    if (shard->places == 0)
        return false;
    uint32_t at = blocks_find(shard, address);
    if (shard->block[at].address == 0)
        return false;
    *block = shard->block[at];
    blocks_close(shard, at);
    shard->count--;
    return true;
}

bool ccprof_heap_blocks_take(struct ccprof_heap_blocks *blocks, uint64_t address,
                             struct ccprof_heap_block *block)
{
    struct ccprof_heap_shard *shard = blocks_shard(blocks, address);

    if (!blocks_lock(shard))
        return false;
    bool taken = blocks_take(shard, address, block);
    blocks_unlock(shard);
    return taken;
}
