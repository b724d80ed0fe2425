/* SPDX-License-Identifier: MIT */
/* Keeps the blocks of a region of memory, in the order of their addresses: neighbours are
   in one leaf, so that a program that works in one place finds what is known of its
   blocks in the processor's caches.  A leaf that is full is divided into two for the
   halves of its range; two halves with few blocks become one again.  Only heap-blocks.c
   uses this, with the lock of the shard held that the region belongs to.

   Over the leaves are at most two levels of branches: each of the 64 parts of a region is
   a leaf's, which may have several of them side by side, or has 64 parts again.  */

#ifndef CCPROF_HEAP_TREE_H
#define CCPROF_HEAP_TREE_H

#include <stdint.h>

#include "rt/heap/heap-nodes.h"

/* A region has 2^19 bytes: leaves tell its blocks apart by 16 bits of their addresses,
   since blocks of all allocators are aligned to 8 bytes.  */
#define CCPROF_HEAP_REGION 19

/* The addresses' bits from which on the branches of the two levels differ.  In the
   smallest part there is room for 16 blocks, fewer than a leaf has.  */
#define CCPROF_HEAP_TREE_UPPER 13
#define CCPROF_HEAP_TREE_LOWER 7

/* A reference to a node: its address, and this bit if it has branches.  0 is none.  */
#define CCPROF_HEAP_TREE_BRANCHES UINT64_C(1)

static inline union ccprof_heap_node *ccprof_heap_tree_node(uint64_t reference)
{
    return (union ccprof_heap_node *)(uintptr_t)(reference & ~CCPROF_HEAP_TREE_BRANCHES);
}

/* Returns the reference below the node for ADDRESS, whose part there begins at BIT.  */
static inline uint64_t *ccprof_heap_tree_below(uint64_t reference, uint64_t address,
                                               unsigned bit)
{
    return &ccprof_heap_tree_node(reference)
                ->below[address >> bit & (CCPROF_HEAP_BRANCHES - 1)];
}

/* Returns the leaf to which ADDRESS belongs.  */
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

/* Returns the number of the block with PLACE in the leaf, or one that is too large.  Four
   places are compared at once: the lowest one of a word whose difference is 0 is found,
   and those behind the last block do not matter.  */
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

/* Makes the root of a region without blocks.  Takes a node.  */
uint64_t ccprof_heap_tree_make(struct ccprof_heap_nodes *nodes);

/* How many nodes divide takes at most.  */
#define CCPROF_HEAP_TREE_NODES 3

/* Divides the leaf of ADDRESS into two, which may both be used up later.  */
void ccprof_heap_tree_divide(uint64_t *root, uint64_t address,
                             struct ccprof_heap_nodes *nodes);

/* Makes the leaf of ADDRESS one with that of the other half of the range that they were
   divided from, as long as both have few blocks.  */
void ccprof_heap_tree_unite(uint64_t *root, uint64_t address,
                            struct ccprof_heap_nodes *nodes);

/* Calls BLOCK for each block of the region that begins at BASE.  */
void ccprof_heap_tree_each(uint64_t root, uint64_t base,
                           void (*block)(void *of, uint64_t address,
                                         const struct ccprof_heap_record *record),
                           void *of);

#endif
