/* SPDX-License-Identifier: MIT */
/* The table of blocks, its filter and the list of mappings. Owns the tables of
   regions, the filters' pages, and the list. heap.c calls the functions of the table,
   in any thread that allocates or frees. allocator.c and fork (held.c) call the
   functions of the list. */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "rt/heap/blocks.h"
#include "rt/heap/slots.h"
#include "rt/heap/tree.h"
#include "rt/os/sys.h"
#include "rt/os/lock.h"
#include "rt/os/memory.h"

/* A filter that accepts every address. */
static struct ccprof_heap_filter accept_none, accept_all = {.bits = {1}};

_Atomic(struct ccprof_heap_filter *) ccprof_heap_filter = &accept_none;

/* The pages of a filter are never unmapped, since a thread may be reading them. */
struct ccprof_heap_filter *ccprof_heap_filter_make(uint64_t places, uint64_t *memory)
{
    const uint64_t bits = offsetof(struct ccprof_heap_filter, bits) + places / 8;
    const uint64_t counts = (bits + 63) & ~UINT64_C(63);
    struct ccprof_heap_filter *filter;
    struct ccprof_pages pages;

    if (!ccprof_pages_make(&pages, counts + places * sizeof *filter->count))
        return NULL;
    *memory += pages.size;
    filter = (void *)pages.start;
    filter->mask = places - 1;
    filter->count = (void *)(pages.start + counts);
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

/* Number of a shard's entries for regions when the first ones are full: they fill a
   page of 4096 bytes. */
#define BLOCKS_NEXT 256

static uint64_t blocks_region_number(uint64_t address)
{
    return address >> CCPROF_HEAP_REGION;
}

static uint64_t blocks_hash(uint64_t number)
{
    return number * UINT64_C(0x9e3779b97f4a7c15);
}

/* The highest bits of the hash are the index of the shard. */
static struct ccprof_heap_shard *blocks_shard(struct ccprof_heap_blocks *blocks,
                                              uint64_t address)
{
    return &blocks->shard[blocks_hash(blocks_region_number(address)) >> 56];
}

/* Returns the entry of the region in the shard, or the free entry for it. The shard
   must have entries. */
static struct ccprof_heap_region *
blocks_find_region(const struct ccprof_heap_shard *shard, uint64_t number)
{
    uint32_t index = (uint32_t)(blocks_hash(number) >> 24) & (shard->places - 1);

    while (shard->region[index].root != 0 && shard->region[index].number != number)
        index = (index + 1) & (shard->places - 1);
    return &shard->region[index];
}

/* Gives the shard more entries for regions. */
static bool blocks_grow(struct ccprof_heap_blocks *blocks,
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
    next.region = (void *)pages.start;
    for (uint32_t i = 0; i < shard->places; i++)
        if (shard->region[i].root != 0)
            *blocks_find_region(&next, shard->region[i].number) = shard->region[i];
    shard->region = next.region;
    shard->places = next.places;
    atomic_fetch_add(&blocks->pool.memory, size - old.size);
    ccprof_pages_free(&old);
    return true;
}

/* Returns the region of ADDRESS, and makes it if it is missing. Returns null if there
   is no room. */
static struct ccprof_heap_region *blocks_make_region(struct ccprof_heap_blocks *blocks,
                                                     struct ccprof_heap_shard *shard,
                                                     uint64_t address, uint64_t limit)
{
    const uint64_t number = blocks_region_number(address);
    struct ccprof_heap_region *region;

    if (shard->places != 0 && (region = blocks_find_region(shard, number))->root != 0)
        return region;
    if (!ccprof_heap_nodes_reserve(&shard->nodes, &blocks->pool, 1, limit) ||
        (shard->regions >= shard->places / 4 * 3 && !blocks_grow(blocks, shard, limit)))
        return NULL;
    region = blocks_find_region(shard, number);
    region->number = number;
    region->root = ccprof_heap_tree_make(&shard->nodes);
    shard->regions++;
    return region;
}

/* A process with one thread needs no lock, since no second thread can start while this
   thread holds it. */
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

/* Returns the leaf of ADDRESS, and divides it if it is full. Returns null if there is
   no room. */
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
    return (struct ccprof_heap_record){block->size, block->stack, block->born};
}

static struct ccprof_heap_block blocks_block(uint64_t address,
                                             const struct ccprof_heap_record *record)
{
    return (struct ccprof_heap_block){address, record->size, record->stack, record->born};
}

static bool blocks_insert(struct ccprof_heap_blocks *blocks,
                          struct ccprof_heap_shard *shard,
                          const struct ccprof_heap_block *block, uint64_t limit,
                          struct ccprof_heap_block *replaced)
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
        *replaced = blocks_block(block->address, &leaf->record[number]);
    } else {
        leaf = blocks_make_room(blocks, shard, region, block->address, limit);
        if (!leaf)
            return false;
        number = leaf->count++;
        leaf->place.bits[number] = place;
        shard->count++;
    }
    leaf->record[number] = blocks_record(block);
    return true;
}

bool ccprof_heap_blocks_use_filter(struct ccprof_heap_blocks *blocks)
{
    blocks->filter = ccprof_heap_filter_make(CCPROF_HEAP_FILTER_LEAST, &blocks->filters);
    if (!blocks->filter)
        return false;
    atomic_store(&ccprof_heap_filter, blocks->filter);
    return true;
}

void ccprof_heap_blocks_record(const struct ccprof_heap_blocks *blocks)
{
    if (!blocks->filter)
        atomic_store(&ccprof_heap_filter, &accept_all);
}

static void blocks_add_to_filter(void *filter, uint64_t address,
                                 const struct ccprof_heap_record *record)
{
    (void)record;
    ccprof_heap_filter_add(filter, address);
}

/* If the filter is too full, replaces it with a filter of four times its size. */
static void blocks_grow_filter(struct ccprof_heap_blocks *blocks)
{
    const uint64_t places = blocks->filter->mask + 1;
    struct ccprof_heap_filter *larger;

    if (blocks->filtered < places / 32 || places >= CCPROF_HEAP_FILTER_MOST)
        return;
    larger = ccprof_heap_filter_make(4 * places, &blocks->filters);
    if (!larger)
        return;
    ccprof_heap_blocks_each(blocks, blocks_add_to_filter, larger);
    blocks->filter = larger;
    atomic_store_explicit(&ccprof_heap_filter, larger, memory_order_release);
}

bool ccprof_heap_blocks_put(struct ccprof_heap_blocks *blocks,
                            const struct ccprof_heap_block *block, uint64_t limit,
                            struct ccprof_heap_block *replaced)
{
    struct ccprof_heap_shard *shard = blocks_shard(blocks, block->address);

    ccprof_assert(block->address != 0);
    replaced->address = 0;
    if (!blocks_lock(shard))
        return false;
    bool put = blocks_insert(blocks, shard, block, limit, replaced);
    blocks_unlock(shard);
    if (blocks->filter && put && replaced->address == 0) {
        ccprof_heap_filter_add(blocks->filter, block->address);
        blocks->filtered++;
        blocks_grow_filter(blocks);
    }
    return put;
}

/* Removes the block from its leaf. The last block of the leaf moves into the gap. */
static bool blocks_remove(struct ccprof_heap_shard *shard, uint64_t address,
                          struct ccprof_heap_block *block)
{
    struct ccprof_heap_region *region;

    if (shard->places == 0 ||
        (region = blocks_find_region(shard, blocks_region_number(address)))->root == 0)
        return false;
    struct ccprof_heap_leaf *leaf = ccprof_heap_tree_leaf(region->root, address);
    uint32_t number = ccprof_heap_tree_find(leaf, ccprof_heap_tree_place(address));
    if (number >= leaf->count)
        return false;
    *block = blocks_block(address, &leaf->record[number]);
    shard->count--;
    leaf->count--;
    leaf->place.bits[number] = leaf->place.bits[leaf->count];
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
    bool taken = blocks_remove(shard, address, block);
    blocks_unlock(shard);
    if (blocks->filter && taken) {
        ccprof_heap_filter_remove(blocks->filter, address);
        blocks->filtered--;
    }
    return taken;
}

void ccprof_heap_blocks_each(const struct ccprof_heap_blocks *blocks,
                             void (*block)(void *context, uint64_t address,
                                           const struct ccprof_heap_record *record),
                             void *context)
{
    for (uint32_t i = 0; i < CCPROF_HEAP_BLOCKS_SHARDS; i++) {
        const struct ccprof_heap_shard *shard = &blocks->shard[i];
        for (uint32_t index = 0; index < shard->places; index++)
            if (shard->region[index].root != 0)
                ccprof_heap_tree_each(shard->region[index].root,
                                      shard->region[index].number << CCPROF_HEAP_REGION,
                                      block, context);
    }
}

uint64_t ccprof_heap_blocks_memory(const struct ccprof_heap_blocks *blocks)
{
    return blocks->filters + blocks->pool.memory;
}

/* A sorted array is fast enough: programs have dozens of mappings, and in each of
   these calls the kernel changes its page tables. */
static struct ccprof_heap_mapping *mappings; /* sorted by address */
static uint32_t mapping_count;
static ccprof_lock mappings_lock;

bool ccprof_heap_mappings_start(void)
{
    mappings = ccprof_pages_map(CCPROF_HEAP_MAPPINGS * sizeof *mappings);
    return mappings != NULL;
}

bool ccprof_heap_mappings_hold(uint64_t patience)
{
    return ccprof_lock_wait(&mappings_lock, patience);
}

void ccprof_heap_mappings_release(void)
{
    ccprof_lock_release(&mappings_lock);
}

/* Returns the index of the first mapping that ends after ADDRESS. */
static uint32_t mappings_find(uint64_t address)
{
    uint32_t low = 0, high = mapping_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (mappings[middle].to <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool ccprof_heap_mappings_put(struct ccprof_heap_mapping mapping)
{
    uint32_t index = mappings_find(mapping.from);

    if (mapping_count == CCPROF_HEAP_MAPPINGS)
        return false;
    memmove(&mappings[index + 1], &mappings[index],
            (mapping_count - index) * sizeof *mappings);
    mappings[index] = mapping;
    mapping_count++;
    return true;
}

bool ccprof_heap_mappings_take(struct ccprof_heap_mapping range,
                               struct ccprof_heap_mapping *taken)
{
    uint32_t index = mappings_find(range.from);

    if (index == mapping_count || mappings[index].from >= range.to)
        return false;
    *taken = mappings[index];
    mapping_count--;
    memmove(&mappings[index], &mappings[index + 1],
            (mapping_count - index) * sizeof *mappings);
    return true;
}

uint64_t ccprof_heap_mappings_memory(void)
{
    return mappings ? CCPROF_HEAP_MAPPINGS * sizeof *mappings : 0;
}
