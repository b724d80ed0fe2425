/* SPDX-License-Identifier: MIT */
/* The tree of the blocks in one region of memory, and the memory of its nodes. Only
   blocks.c uses this, with the lock of the region's shard held.

   The tree is sorted by address. Neighbouring blocks are in one leaf, so that a
   program that works in one place finds its blocks in the processor's caches. A full
   leaf is divided into two leaves, one for each half of its range. If two halves have
   few blocks, they are merged again. Above the leaves there are at most two levels of
   branch nodes. A region has 64 parts. A leaf covers one or several neighbouring
   parts, or a part is divided into 64 smaller parts, which are covered by leaves in
   the same way.

   All nodes have the same size and are never given back to the kernel. Each shard has
   its own free nodes. */

#ifndef CCPROF_HEAP_TREE_H
#define CCPROF_HEAP_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/lock.h"

/* A block without its address. */
struct ccprof_heap_record {
    uint64_t size;
    uint32_t stack;
    uint32_t born;
};

#define CCPROF_HEAP_LEAF_WORDS 7
#define CCPROF_HEAP_LEAF_MOST  (4 * CCPROF_HEAP_LEAF_WORDS)

/* The blocks of a range of addresses. The head is one cache line and is enough to
   find a block. */
struct ccprof_heap_leaf {
    uint32_t count;
    uint32_t span; /* the range has 2^SPAN bytes */
    union {
        uint64_t word[CCPROF_HEAP_LEAF_WORDS];
        uint16_t bits[CCPROF_HEAP_LEAF_MOST]; /* bits 3 to 18 of the addresses */
    } place;                                  /* four blocks per word */
    struct ccprof_heap_record record[CCPROF_HEAP_LEAF_MOST];
};

/* A node is a leaf, or has references to child nodes. */
#define CCPROF_HEAP_BRANCHES 64

union ccprof_heap_node {
    struct ccprof_heap_leaf leaf;
    uint64_t below[CCPROF_HEAP_BRANCHES];
    union ccprof_heap_node *next; /* next free node */
} __attribute__((aligned(64)));

/* The nodes that all shards share. A structure of zeros is an empty pool. */
struct ccprof_heap_pool {
    ccprof_spin busy;
    union ccprof_heap_node *next,
        *end;                /* mapped nodes that are not given to a shard yet */
    _Atomic uint64_t memory; /* mapped bytes, including tables of regions */
};

/* The free nodes of a shard. A structure of zeros has no free nodes. */
struct ccprof_heap_nodes {
    union ccprof_heap_node *free;
    uint32_t free_count, had; /* HAD: number of all nodes, free or in use */
};

/* Makes sure that at least NEEDED nodes are free. LIMIT is the maximum number of
   bytes that may be mapped in total. Returns false if there is no memory. */
bool ccprof_heap_nodes_reserve(struct ccprof_heap_nodes *nodes,
                               struct ccprof_heap_pool *pool, uint32_t needed,
                               uint64_t limit);

/* Returns a free node, which is not cleared. There must be a free node. */
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

/* The binary logarithm of the size of a region. 16 bits of an address are enough to
   distinguish the blocks of a region, since all allocators align blocks to 8 bytes. */
#define CCPROF_HEAP_REGION 19

/* The lowest bits of an address that select a branch, at the upper and the lower
   level. The smallest part has room for 16 blocks, fewer than a leaf. */
#define CCPROF_HEAP_TREE_UPPER 13
#define CCPROF_HEAP_TREE_LOWER 7

/* A reference to a node is the node's address, with this bit set if the node has
   branches. 0 means no node. */
#define CCPROF_HEAP_TREE_BRANCHES UINT64_C(1)

static inline union ccprof_heap_node *ccprof_heap_tree_node(uint64_t reference)
{
    return (union ccprof_heap_node *)(uintptr_t)(reference & ~CCPROF_HEAP_TREE_BRANCHES);
}

/* Returns the child reference for ADDRESS in the node REFERENCE. BIT is the lowest
   bit of the address that selects a branch of this node. */
static inline uint64_t *ccprof_heap_tree_below(uint64_t reference, uint64_t address,
                                               unsigned bit)
{
    return &ccprof_heap_tree_node(reference)
                ->below[address >> bit & (CCPROF_HEAP_BRANCHES - 1)];
}

/* Returns the leaf for ADDRESS. */
static inline struct ccprof_heap_leaf *ccprof_heap_tree_leaf(uint64_t root,
                                                             uint64_t address)
{
    if (root & CCPROF_HEAP_TREE_BRANCHES)
        root = *ccprof_heap_tree_below(root, address, CCPROF_HEAP_TREE_UPPER);
    if (root & CCPROF_HEAP_TREE_BRANCHES)
        root = *ccprof_heap_tree_below(root, address, CCPROF_HEAP_TREE_LOWER);
    return &ccprof_heap_tree_node(root)->leaf;
}

static inline uint16_t ccprof_heap_tree_place(uint64_t address)
{
    return (uint16_t)(address >> 3);
}

/* Returns the index of the block with PLACE in the leaf, or an index that is not below
   the leaf's count. Compares the four places of a word at once and finds the lowest
   equal one. Matches after the last block are ignored by the caller. */
static inline uint32_t ccprof_heap_tree_find(const struct ccprof_heap_leaf *leaf,
                                             uint16_t place)
{
    const uint64_t ones = UINT64_C(0x0001000100010001);

    for (uint32_t i = 0; i < CCPROF_HEAP_LEAF_WORDS; i++) {
        uint64_t differs = leaf->place.word[i] ^ place * ones;
        uint64_t same = (differs - ones) & ~differs & ones << 15;
        if (same != 0)
            return 4 * i + (uint32_t)__builtin_ctzll(same) / 16;
    }
    return CCPROF_HEAP_LEAF_MOST;
}

/* Makes the root of a region without blocks. Needs one free node. */
uint64_t ccprof_heap_tree_make(struct ccprof_heap_nodes *nodes);

/* Maximum number of free nodes that ccprof_heap_tree_divide needs. */
#define CCPROF_HEAP_TREE_NODES 3

/* Divides the leaf of ADDRESS into two. Afterwards the leaf of ADDRESS may still be
   full. */
void ccprof_heap_tree_divide(uint64_t *root, uint64_t address,
                             struct ccprof_heap_nodes *nodes);

/* Merges the leaf of ADDRESS with the other half of its range, repeatedly, as long as
   both have few blocks. */
void ccprof_heap_tree_unite(uint64_t *root, uint64_t address,
                            struct ccprof_heap_nodes *nodes);

/* Calls BLOCK with CONTEXT for each block of the region that begins at BASE. */
void ccprof_heap_tree_each(uint64_t root, uint64_t base,
                           void (*block)(void *context, uint64_t address,
                                         const struct ccprof_heap_record *record),
                           void *context);

#endif
