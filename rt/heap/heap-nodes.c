/* SPDX-License-Identifier: MIT */
/* Implements the memory of nodes.  Owns nothing.  Called by heap-blocks.c with the lock
   of a shard held, in any thread that allocates.  */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/single_threaded.h>

#include "rt/heap/heap-nodes.h"
#include "rt/heap/heap-lock.h"
#include "rt/os/sys.h"
#include "rt/os/memory.h"

_Static_assert(sizeof(union ccprof_heap_node) == 512, "a node has no gaps");
_Static_assert(offsetof(struct ccprof_heap_leaf, record) == 64,
               "the head of a leaf is a cache line");

/* So many bytes are mapped at once: a part of what there is, within bounds.  */
#define NODES_LEAST UINT64_C(0x10000)
#define NODES_MOST  UINT64_C(0x400000)
#define NODES_PART  16

/* A shard gets a part of what it has had at once, and so many at most.  */
#define NODES_BATCH_PART 4
#define NODES_BATCH_MOST 16

static bool nodes_map(struct ccprof_heap_pool *pool, uint64_t limit)
{
    const uint64_t memory = atomic_load(&pool->memory);
    uint64_t size = memory / NODES_PART & ~(NODES_LEAST - 1);
    struct ccprof_pages pages;

    if (size < NODES_LEAST)
        size = NODES_LEAST;
    if (size > NODES_MOST)
        size = NODES_MOST;
    if (memory + size > limit || !ccprof_pages_make(&pages, size))
        return false;
    pool->at = (void *)pages.at;
    pool->end = pool->at + pages.size / sizeof *pool->at;
    atomic_fetch_add(&pool->memory, pages.size);
    return true;
}

/* Gives a shard WANTED nodes, or fewer if there are no more.  */
static void nodes_move(struct ccprof_heap_nodes *nodes, struct ccprof_heap_pool *pool,
                       uint32_t wanted, uint64_t limit)
{
    for (; wanted != 0; wanted--) {
        if (pool->at == pool->end && !nodes_map(pool, limit))
            return;
        ccprof_heap_nodes_give(nodes, pool->at);
        pool->at++;
        nodes->had++;
    }
}

bool ccprof_heap_nodes_reserve(struct ccprof_heap_nodes *nodes,
                               struct ccprof_heap_pool *pool, uint32_t needed,
                               uint64_t limit)
{
    uint32_t batch = nodes->had / NODES_BATCH_PART;

    if (__builtin_expect(nodes->free_count >= needed, true))
        return true;
    if (batch > NODES_BATCH_MOST)
        batch = NODES_BATCH_MOST;
    if (batch < needed - nodes->free_count)
        batch = needed - nodes->free_count;
    if (!__libc_single_threaded && !ccprof_spin_try_once(&pool->busy) &&
        !ccprof_spin_wait(&pool->busy, CCPROF_HEAP_PATIENCE))
        return false;
    nodes_move(nodes, pool, batch, limit);
    if (!__libc_single_threaded)
        ccprof_spin_release(&pool->busy);
    return nodes->free_count >= needed;
}
