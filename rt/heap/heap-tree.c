/* SPDX-License-Identifier: MIT */
/* Implements the tree of a region.  Owns nothing.  Called by heap-blocks.c with the lock
   of the shard held, in any thread that allocates or frees.  */

#include <stdbool.h>
#include <stddef.h>

#include "rt/heap/heap-tree.h"
#include "rt/os/sys.h"

/* Two leaves with so few blocks become one, which takes some more before it is divided.
   It is looked for where one of them has less than half of that.  */
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

/* Puts a node with branches, all of them to what was there, in the place of *REFERENCE.
 */
static void tree_branch(uint64_t *reference, struct ccprof_heap_nodes *nodes)
{
    union ccprof_heap_node *node = ccprof_heap_nodes_get(nodes);

    for (unsigned i = 0; i < CCPROF_HEAP_BRANCHES; i++)
        node->below[i] = *reference;
    *reference = (uintptr_t)node | CCPROF_HEAP_TREE_BRANCHES;
}

/* Puts the leaf in the place of the node with branches, all of which are to it.  */
static void tree_unbranch(uint64_t *reference, const struct ccprof_heap_leaf *leaf,
                          struct ccprof_heap_nodes *nodes)
{
    ccprof_heap_nodes_give(nodes, ccprof_heap_tree_node(*reference));
    *reference = tree_leaf(leaf);
}

/* Lets all branches to the range of the leaf that ADDRESS is in lead to it.  The branches
   are those of the node that REFERENCE refers to, which begin at BIT.  */
static void tree_lead(uint64_t reference, uint64_t address, unsigned bit,
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
    to->place.of[to->count] = from->place.of[number];
    to->record[to->count] = from->record[number];
    to->count++;
}

/* Moves the blocks of the upper half of the leaf's range, which is from now on the lower
   half alone, to the other one.  */
static void tree_halve(struct ccprof_heap_leaf *leaf, struct ccprof_heap_leaf *upper)
{
    const uint32_t count = leaf->count;

    leaf->span--;
    leaf->count = upper->count = 0;
    upper->span = leaf->span;
    for (uint32_t i = 0; i < count; i++)
        tree_move(leaf->place.of[i] >> (leaf->span - 3) & 1 ? upper : leaf, leaf, i);
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
    tree_lead(*root, address | UINT64_C(1) << leaf->span, bit, upper);
}

/* Unites the leaf of ADDRESS with the one of the other half.  Returns false if it cannot.
 */
static bool tree_unite(uint64_t *root, uint64_t address, struct ccprof_heap_nodes *nodes)
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
    uint64_t beside = *ccprof_heap_tree_below(*root, address ^ UINT64_C(1) << span, bit);
    struct ccprof_heap_leaf *other = &ccprof_heap_tree_node(beside)->leaf;
    if (beside & CCPROF_HEAP_TREE_BRANCHES || other->span != span ||
        leaf->count + other->count > TREE_FEW)
        return false;
    for (uint32_t i = 0; i < other->count; i++)
        tree_move(leaf, other, i);
    leaf->span++;
    ccprof_heap_nodes_give(nodes, ccprof_heap_tree_node(beside));
    if (leaf->span == CCPROF_HEAP_TREE_UPPER || leaf->span == CCPROF_HEAP_REGION)
        tree_unbranch(root, leaf, nodes);
    else
        tree_lead(*root, address, bit, leaf);
    return true;
}

void ccprof_heap_tree_unite(uint64_t *root, uint64_t address,
                            struct ccprof_heap_nodes *nodes)
{
    while (tree_unite(root, address, nodes))
        continue;
}

void ccprof_heap_tree_each(uint64_t reference, uint64_t base,
                           void (*block)(void *of, uint64_t address,
                                         const struct ccprof_heap_record *record),
                           void *of)
{
    const union ccprof_heap_node *node = ccprof_heap_tree_node(reference);

    if (!(reference & CCPROF_HEAP_TREE_BRANCHES)) {
        for (uint32_t i = 0; i < node->leaf.count; i++)
            block(of, base | (uint64_t)node->leaf.place.of[i] << 3,
                  &node->leaf.record[i]);
        return;
    }
    for (unsigned i = 0; i < CCPROF_HEAP_BRANCHES; i++)
        if (i == 0 || node->below[i] != node->below[i - 1])
            ccprof_heap_tree_each(node->below[i], base, block, of);
}
