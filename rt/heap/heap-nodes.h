/* SPDX-License-Identifier: MIT */
/* The memory of the trees of blocks (heap-tree.h): nodes of one size, which are never
   given back to the kernel.  Each shard has free ones of its own; only heap-blocks.c and
   heap-tree.c use this, with the lock of the shard held.  */

#ifndef CCPROF_HEAP_NODES_H
#define CCPROF_HEAP_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/lock.h"

/* What is known of a block beside its address.  */
struct ccprof_heap_record {
    uint64_t packed; /* size and thread (heap-blocks.h) */
    uint32_t stack;
    uint32_t born;
};

/* PLACE has four blocks in a word.  */
#define CCPROF_HEAP_LEAF_WORDS 7
#define CCPROF_HEAP_LEAF_MOST  (4 * CCPROF_HEAP_LEAF_WORDS)

/* The blocks of a range of addresses.  A look at the head, which is one line of the
   processor's cache, tells where a block is.  */
struct ccprof_heap_leaf {
    uint32_t count;
    uint32_t span; /* the range has 2^SPAN bytes */
    union {
        uint64_t word[CCPROF_HEAP_LEAF_WORDS];
        uint16_t of[CCPROF_HEAP_LEAF_MOST]; /* bits 3 to 18 of the addresses */
    } place;
    struct ccprof_heap_record record[CCPROF_HEAP_LEAF_MOST];
};

/* A node is a leaf, or has references to nodes below it (heap-tree.h).  */
#define CCPROF_HEAP_BRANCHES 64

union ccprof_heap_node {
    struct ccprof_heap_leaf leaf;
    uint64_t below[CCPROF_HEAP_BRANCHES];
    union ccprof_heap_node *next; /* of a free one */
} __attribute__((aligned(64)));

/* What all shards share.  All zeros is no memory.  */
struct ccprof_heap_pool {
    ccprof_spin busy;
    union ccprof_heap_node *at, *end; /* mapped nodes that no shard has had */
    _Atomic uint64_t memory; /* bytes that are mapped, here and for tables of regions */
};

/* The free nodes of a shard.  All zeros is none.  */
struct ccprof_heap_nodes {
    union ccprof_heap_node *free;
    uint32_t free_count, had; /* HAD: those that are in use, too */
};

/* Sees to it that at least NEEDED nodes are free, where the memory may become LIMIT bytes
   in all.  Returns false if that cannot be.  */
bool ccprof_heap_nodes_reserve(struct ccprof_heap_nodes *nodes,
                               struct ccprof_heap_pool *pool, uint32_t needed,
                               uint64_t limit);

/* Returns a free node, of which there must be one; its bytes are whatever they were.  */
static inline union ccprof_heap_node *
ccprof_heap_nodes_get(struct ccprof_heap_nodes *nodes)
{
    union ccprof_heap_node *node = nodes->free;
    nodes->free = node->next;
    nodes->free_count--;
    return node;
}

static inline void ccprof_heap_nodes_give(struct ccprof_heap_nodes *nodes,
                                          union ccprof_heap_node *node)
{
    node->next = nodes->free;
    nodes->free = node;
    nodes->free_count++;
}

#endif
