/* SPDX-License-Identifier: MIT */
/* Owns the memory of all paths, and the list of the process's paths in the order of their
   first calls.  The caller holds the lock.  */

#include <stdatomic.h>
#include <string.h>

#include "rt/os/memory.h"
#include "rt/regions/regions-inside.h"

/* Paths to try last, where there is no memory for more.  */
#define POOL_LEAST 16

static struct {
    struct regions_node *node, *free;
    unsigned used, count;
    unsigned alone; /* of COUNT, how many are kept for paths of one region */
    struct regions_node *first, **last; /* paths of the process */
    struct regions_node **index;
    unsigned paths;
    _Atomic bool full[2]; /* no room: [0] for several regions, [1] for one region */
} pool;

bool ccprof_regions_pool_make(void)
{
    unsigned count = REGIONS_PATHS;

    while (!pool.node && count >= POOL_LEAST) {
        pool.node = ccprof_pages_map(count * sizeof *pool.node);
        pool.count = count;
        pool.alone = count / (REGIONS_PATHS / REGIONS_ALONE);
        count /= 2;
    }
    if (!pool.index)
        pool.index = ccprof_pages_map(REGIONS_INDEX * sizeof *pool.index);
    if (!pool.last)
        pool.last = &pool.first;
    return pool.node && pool.index;
}

bool ccprof_regions_is_full(bool alone)
{
    return atomic_load_explicit(&pool.full[alone], memory_order_relaxed);
}

struct regions_node *ccprof_regions_node_new(bool alone)
{
    struct regions_node *node = pool.free;

    if (node) {
        pool.free = node->chain;
    } else if (pool.used < pool.count - (alone ? 0 : pool.alone)) {
        node = &pool.node[pool.used++];
    } else {
        atomic_store_explicit(&pool.full[alone], true, memory_order_relaxed);
        return NULL;
    }
    /* Touches new memory here, so that no page fault falls into the end of a call.  */
    memset(node, 0, sizeof *node);
    node->figures.min = UINT64_MAX;
    regions_recent_clear(node, node);
    return node;
}

void ccprof_regions_node_free(struct regions_node *node)
{
    node->chain = pool.free;
    pool.free = node;
    for (unsigned alone = 0; alone < 2; alone++)
        atomic_store_explicit(&pool.full[alone], false, memory_order_relaxed);
}

uint32_t ccprof_regions_node_place(const struct regions_node *node)
{
    return (uint32_t)(node - pool.node);
}

const struct regions_node *ccprof_regions_node_at(uint32_t place)
{
    return &pool.node[place];
}

struct regions_node *ccprof_regions_paths(void)
{
    return pool.first;
}

struct regions_node *ccprof_regions_path(struct regions_node *parent, uint64_t key)
{
    struct regions_node **index = &pool.index[(key * 31 + (key >> REGIONS_KEY_SHIFT) +
                                               (parent ? parent->made : REGIONS_ABSENT)) %
                                              REGIONS_INDEX];
    struct regions_node *path;
    int region;

    for (path = *index; path; path = path->chain)
        if (path->parent == parent && path->key == key)
            return path;
    region = ccprof_regions_number(key);
    path = region < 0 ? NULL : ccprof_regions_node_new(!parent);
    if (!path)
        return NULL;
    path->key = key;
    path->parent = parent;
    path->region = (uint32_t)region;
    path->made = pool.paths++;
    path->chain = *index;
    *index = path;
    *pool.last = path;
    pool.last = &path->next;
    return path;
}
