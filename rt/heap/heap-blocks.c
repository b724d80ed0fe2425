/* SPDX-License-Identifier: MIT */
/* Implements the table of blocks.  Owns the tables of regions.  Called by heap-table.c,
   in any thread that allocates or frees.  */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/single_threaded.h>

#include "rt/heap/heap-blocks.h"
#include "rt/heap/heap-lock.h"
#include "rt/heap/heap-tree.h"
#include "rt/os/sys.h"
#include "rt/os/memory.h"

/* A page of 4096 bytes holds the regions that a shard has next after the first ones.  */
#define BLOCKS_NEXT 256

static uint64_t blocks_number(uint64_t address)
{
    return address >> CCPROF_HEAP_REGION;
}

static uint64_t blocks_hash(uint64_t number)
{
    return number * UINT64_C(0x9e3779b97f4a7c15);
}

/* The highest bits of the hash are the shard's number.  */
static struct ccprof_heap_shard *blocks_shard(struct ccprof_heap_blocks *blocks,
                                              uint64_t address)
{
    return &blocks->shard[blocks_hash(blocks_number(address)) >> 56];
}

/* Returns the place of the region in a shard that has any, or the free one where it would
   be.  */
static struct ccprof_heap_region *blocks_find(const struct ccprof_heap_shard *shard,
                                              uint64_t number)
{
    uint32_t at = (uint32_t)(blocks_hash(number) >> 24) & (shard->places - 1);

    while (shard->region[at].root != 0 && shard->region[at].number != number)
        at = (at + 1) & (shard->places - 1);
    return &shard->region[at];
}

/* Gives the shard places for more regions.  */
static bool blocks_widen(struct ccprof_heap_blocks *blocks,
                         struct ccprof_heap_shard *shard, uint64_t limit)
{
    if (shard->places == 0) {
        shard->region = blocks->first[shard - blocks->shard];
        shard->places = CCPROF_HEAP_BLOCKS_FIRST;
        return true;
    }
    bool is_first = shard->places == CCPROF_HEAP_BLOCKS_FIRST;
    struct ccprof_heap_shard next = {.places =
                                         is_first ? BLOCKS_NEXT : 2 * shard->places};
    struct ccprof_pages old = {is_first ? NULL : (void *)shard->region,
                               is_first ? 0 : shard->places * sizeof *shard->region};
    struct ccprof_pages pages;
    uint64_t size = (uint64_t)next.places * sizeof *next.region;

    if (next.places == 0 || atomic_load(&blocks->pool.memory) + size > limit ||
        !ccprof_pages_make(&pages, size))
        return false;
    next.region = (void *)pages.at;
    for (uint32_t i = 0; i < shard->places; i++)
        if (shard->region[i].root != 0)
            *blocks_find(&next, shard->region[i].number) = shard->region[i];
    shard->region = next.region;
    shard->places = next.places;
    atomic_fetch_add(&blocks->pool.memory, size - old.size);
    ccprof_pages_free(&old);
    return true;
}

/* Returns the region of ADDRESS, which is made if it is missing; null without room.  */
static struct ccprof_heap_region *blocks_make_region(struct ccprof_heap_blocks *blocks,
                                                     struct ccprof_heap_shard *shard,
                                                     uint64_t address, uint64_t limit)
{
    const uint64_t number = blocks_number(address);
    struct ccprof_heap_region *region;

    if (shard->places != 0 && (region = blocks_find(shard, number))->root != 0)
        return region;
    if (!ccprof_heap_nodes_reserve(&shard->nodes, &blocks->pool, 1, limit) ||
        (shard->regions >= shard->places / 4 * 3 && !blocks_widen(blocks, shard, limit)))
        return NULL;
    region = blocks_find(shard, number);
    region->number = number;
    region->root = ccprof_heap_tree_make(&shard->nodes);
    shard->regions++;
    return region;
}

/* A process with one thread needs no lock, and cannot get another one while the thread is
   in here.  */
static bool blocks_lock(struct ccprof_heap_shard *shard)
{
    return __libc_single_threaded || ccprof_spin_try_once(&shard->busy) ||
           ccprof_spin_wait(&shard->busy, CCPROF_HEAP_PATIENCE);
}

static void blocks_unlock(struct ccprof_heap_shard *shard)
{
    if (!__libc_single_threaded)
        ccprof_spin_release(&shard->busy);
}

/* Returns the leaf of the region to which ADDRESS belongs, with room for a block; null
   without room.  */
static struct ccprof_heap_leaf *blocks_make_room(struct ccprof_heap_blocks *blocks,
                                                 struct ccprof_heap_shard *shard,
                                                 struct ccprof_heap_region *region,
                                                 uint64_t address, uint64_t limit)
{
    struct ccprof_heap_leaf *leaf = ccprof_heap_tree_leaf(region->root, address);

    while (leaf->count == CCPROF_HEAP_LEAF_MOST) {
        if (!ccprof_heap_nodes_reserve(&shard->nodes, &blocks->pool,
                                       CCPROF_HEAP_TREE_NODES, limit))
            return NULL;
        ccprof_heap_tree_divide(&region->root, address, &shard->nodes);
        leaf = ccprof_heap_tree_leaf(region->root, address);
    }
    return leaf;
}

static struct ccprof_heap_record blocks_record(const struct ccprof_heap_block *block)
{
    return (struct ccprof_heap_record){block->packed, block->stack, block->born};
}

static struct ccprof_heap_block blocks_block(uint64_t address,
                                             const struct ccprof_heap_record *record)
{
    return (struct ccprof_heap_block){address, record->packed, record->stack,
                                      record->born};
}

static bool blocks_put(struct ccprof_heap_blocks *blocks, struct ccprof_heap_shard *shard,
                       const struct ccprof_heap_block *block, uint64_t limit,
                       struct ccprof_heap_block *before)
{
    const uint16_t place = ccprof_heap_tree_place(block->address);
    struct ccprof_heap_region *region =
        blocks_make_region(blocks, shard, block->address, limit);
    struct ccprof_heap_leaf *leaf;

    if (!region)
        return false;
    leaf = ccprof_heap_tree_leaf(region->root, block->address);
    uint32_t number = ccprof_heap_tree_find(leaf, place);
    if (number < leaf->count) {
        *before = blocks_block(block->address, &leaf->record[number]);
    } else {
        leaf = blocks_make_room(blocks, shard, region, block->address, limit);
        if (!leaf)
            return false;
        number = leaf->count++;
        leaf->place.of[number] = place;
        shard->count++;
    }
    leaf->record[number] = blocks_record(block);
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

/* The last block of the leaf gets the number of the one that is taken.  */
static bool blocks_take(struct ccprof_heap_shard *shard, uint64_t address,
                        struct ccprof_heap_block *block)
{
    struct ccprof_heap_region *region;

    if (shard->places == 0 ||
        (region = blocks_find(shard, blocks_number(address)))->root == 0)
        return false;
    struct ccprof_heap_leaf *leaf = ccprof_heap_tree_leaf(region->root, address);
    uint32_t number = ccprof_heap_tree_find(leaf, ccprof_heap_tree_place(address));
    if (number >= leaf->count)
        return false;
    *block = blocks_block(address, &leaf->record[number]);
    shard->count--;
    leaf->count--;
    leaf->place.of[number] = leaf->place.of[leaf->count];
    leaf->record[number] = leaf->record[leaf->count];
    ccprof_heap_tree_unite(&region->root, address, &shard->nodes);
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

void ccprof_heap_blocks_each(const struct ccprof_heap_blocks *blocks,
                             void (*block)(void *of, uint64_t address,
                                           const struct ccprof_heap_record *record),
                             void *of)
{
    for (uint32_t i = 0; i < CCPROF_HEAP_BLOCKS_SHARDS; i++) {
        const struct ccprof_heap_shard *shard = &blocks->shard[i];
        for (uint32_t at = 0; at < shard->places; at++)
            if (shard->region[at].root != 0)
                ccprof_heap_tree_each(shard->region[at].root,
                                      shard->region[at].number << CCPROF_HEAP_REGION,
                                      block, of);
    }
}
