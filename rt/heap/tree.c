/* SPDX-License-Identifier: MIT */
/* Implements the tree of a region and the memory of nodes. Owns no data. Called by
   blocks.c with the lock of a shard held, in any thread that allocates or frees. */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/single_threaded.h>

#include "rt/heap/slots.h"
#include "rt/heap/tree.h"
#include "rt/os/sys.h"
#include "rt/os/memory.h"

_Static_assert(sizeof(union ccprof_heap_node) == 512, "a node has no gaps");
_Static_assert(offsetof(struct ccprof_heap_leaf, record) == 64,
               "the head of a leaf is a cache line");

/* Number of bytes that are mapped together: a fraction of the memory mapped so far,
   between a minimum and a maximum. */
#define NODES_LEAST UINT64_C(0x10000)
#define NODES_MOST  UINT64_C(0x400000)
#define NODES_PART  16

/* Number of nodes that a shard gets together: a fraction of its nodes so far, with a
   maximum. */
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
    pool->next = (void *)pages.start;
    pool->end = pool->next + pages.size / sizeof *pool->next;
    atomic_fetch_add(&pool->memory, pages.size);
    return true;
}

/* Gives a shard COUNT nodes, or fewer if there is no more memory. */
static void nodes_move(struct ccprof_heap_nodes *nodes, struct ccprof_heap_pool *pool,
                       uint32_t count, uint64_t limit)
{
    for (; count != 0; count--) {
        if (pool->next == pool->end && !nodes_map(pool, limit))
            return;
        ccprof_heap_nodes_give(nodes, pool->next);
        pool->next++;
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

/* Maximum number of blocks in a leaf merged from two. Some room is left for more
   blocks. Merging is tried when one of the two leaves has less than half of this
   number. */
#define TREE_FEW (CCPROF_HEAP_LEAF_MOST / 2)

_Static_assert(CCPROF_HEAP_TREE_UPPER + 6 == CCPROF_HEAP_REGION &&
                   CCPROF_HEAP_TREE_LOWER + 6 == CCPROF_HEAP_TREE_UPPER,
               "a node has 64 branches");
_Static_assert((1 << CCPROF_HEAP_TREE_LOWER) / 8 < CCPROF_HEAP_LEAF_MOST,
               "the smallest part needs one leaf");

static uint64_t tree_leaf(const struct ccprof_heap_leaf *leaf)
{
    return (uintptr_t)leaf;
}

uint64_t ccprof_heap_tree_make(struct ccprof_heap_nodes *nodes)
{
    struct ccprof_heap_leaf *leaf = &ccprof_heap_nodes_get(nodes)->leaf;

    leaf->count = 0;
    leaf->span = CCPROF_HEAP_REGION;
    return tree_leaf(leaf);
}

/* Replaces *REFERENCE with a new node. All branches of the new node are the old
 *REFERENCE. */
static void tree_branch(uint64_t *reference, struct ccprof_heap_nodes *nodes)
{
    union ccprof_heap_node *node = ccprof_heap_nodes_get(nodes);

    for (unsigned i = 0; i < CCPROF_HEAP_BRANCHES; i++)
        node->below[i] = *reference;
    *reference = (uintptr_t)node | CCPROF_HEAP_TREE_BRANCHES;
}

/* Replaces a node with the leaf itself. All branches of the node must be this leaf. */
static void tree_unbranch(uint64_t *reference, const struct ccprof_heap_leaf *leaf,
                          struct ccprof_heap_nodes *nodes)
{
    ccprof_heap_nodes_give(nodes, ccprof_heap_tree_node(*reference));
    *reference = tree_leaf(leaf);
}

/* Sets all branches for the range of the leaf to the leaf. ADDRESS is in this range.
   The branches are in the node REFERENCE, and BIT is the lowest bit of the address
   that selects a branch. */
static void tree_set_branches(uint64_t reference, uint64_t address, unsigned bit,
                              const struct ccprof_heap_leaf *leaf)
{
    uint64_t *below =
        ccprof_heap_tree_below(reference, address & -(UINT64_C(1) << leaf->span), bit);

    for (uint32_t i = 0; i < UINT32_C(1) << (leaf->span - bit); i++)
        below[i] = tree_leaf(leaf);
}

static void tree_move(struct ccprof_heap_leaf *to, const struct ccprof_heap_leaf *from,
                      uint32_t number)
{
    to->place.bits[to->count] = from->place.bits[number];
    to->record[to->count] = from->record[number];
    to->count++;
}

/* Halves the range of the leaf: moves the blocks in the upper half to the leaf UPPER. */
static void tree_halve(struct ccprof_heap_leaf *leaf, struct ccprof_heap_leaf *upper)
{
    const uint32_t count = leaf->count;

    leaf->span--;
    leaf->count = upper->count = 0;
    upper->span = leaf->span;
    for (uint32_t i = 0; i < count; i++)
        tree_move(leaf->place.bits[i] >> (leaf->span - 3) & 1 ? upper : leaf, leaf, i);
}

void ccprof_heap_tree_divide(uint64_t *root, uint64_t address,
                             struct ccprof_heap_nodes *nodes)
{
    struct ccprof_heap_leaf *leaf = ccprof_heap_tree_leaf(*root, address);
    struct ccprof_heap_leaf *upper = &ccprof_heap_nodes_get(nodes)->leaf;
    unsigned bit = CCPROF_HEAP_TREE_UPPER;

    ccprof_assert(leaf->span > CCPROF_HEAP_TREE_LOWER);
    if (leaf->span == CCPROF_HEAP_REGION)
        tree_branch(root, nodes);
    if (leaf->span <= CCPROF_HEAP_TREE_UPPER) {
        root = ccprof_heap_tree_below(*root, address, CCPROF_HEAP_TREE_UPPER);
        bit = CCPROF_HEAP_TREE_LOWER;
    }
    if (leaf->span == CCPROF_HEAP_TREE_UPPER)
        tree_branch(root, nodes);
    tree_halve(leaf, upper);
    tree_set_branches(*root, address | UINT64_C(1) << leaf->span, bit, upper);
}

/* Merges the leaf of ADDRESS with the leaf of the other half. Returns false if this
   is not possible. */
static bool tree_unite_once(uint64_t *root, uint64_t address,
                            struct ccprof_heap_nodes *nodes)
{
    struct ccprof_heap_leaf *leaf = ccprof_heap_tree_leaf(*root, address);
    const uint32_t span = leaf->span;
    unsigned bit = CCPROF_HEAP_TREE_UPPER;

    if (leaf->count >= TREE_FEW / 2 || span == CCPROF_HEAP_REGION)
        return false;
    if (span < CCPROF_HEAP_TREE_UPPER) {
        root = ccprof_heap_tree_below(*root, address, CCPROF_HEAP_TREE_UPPER);
        bit = CCPROF_HEAP_TREE_LOWER;
    }
    uint64_t sibling = *ccprof_heap_tree_below(*root, address ^ UINT64_C(1) << span, bit);
    struct ccprof_heap_leaf *sibling_leaf = &ccprof_heap_tree_node(sibling)->leaf;
    if (sibling & CCPROF_HEAP_TREE_BRANCHES || sibling_leaf->span != span ||
        leaf->count + sibling_leaf->count > TREE_FEW)
        return false;
    for (uint32_t i = 0; i < sibling_leaf->count; i++)
        tree_move(leaf, sibling_leaf, i);
    leaf->span++;
    ccprof_heap_nodes_give(nodes, ccprof_heap_tree_node(sibling));
    if (leaf->span == CCPROF_HEAP_TREE_UPPER || leaf->span == CCPROF_HEAP_REGION)
        tree_unbranch(root, leaf, nodes);
    else
        tree_set_branches(*root, address, bit, leaf);
    return true;
}

void ccprof_heap_tree_unite(uint64_t *root, uint64_t address,
                            struct ccprof_heap_nodes *nodes)
{
    while (tree_unite_once(root, address, nodes))
        continue;
}

void ccprof_heap_tree_each(uint64_t reference, uint64_t base,
                           void (*block)(void *context, uint64_t address,
                                         const struct ccprof_heap_record *record),
                           void *context)
{
    const union ccprof_heap_node *node = ccprof_heap_tree_node(reference);

    if (!(reference & CCPROF_HEAP_TREE_BRANCHES)) {
        for (uint32_t i = 0; i < node->leaf.count; i++)
            block(context, base | (uint64_t)node->leaf.place.bits[i] << 3,
                  &node->leaf.record[i]);
        return;
    }
    for (unsigned i = 0; i < CCPROF_HEAP_BRANCHES; i++)
        if (i == 0 || node->below[i] != node->below[i - 1])
            ccprof_heap_tree_each(node->below[i], base, block, context);
}
