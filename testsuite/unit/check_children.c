/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Finds nodes of a tree among the children of their parents: few and many children, with
   and without a parent, and with equal hashes. */

#include "mlprof/base/index.h"
#include "testsuite/unit/tests.h"

/* The tree of a test, and the nodes found in it. */
struct tree {
    struct children children;
    struct {
        uint32_t parent, key;
    } nodes[20000];
    uint32_t count;
    uint64_t compared;
};

/* Returns the number of the node, and adds the node if it is missing. If SAME, all nodes
   have the same hash, so that a search in the hash table visits all of them. */
static uint32_t put(struct tree *tree, uint32_t parent, uint32_t key, bool same)
{
    uint32_t number;
    uint64_t hash = same ? 1 : ((uint64_t)parent * 31 + key) * 0x9e3779b97f4a7c15u;
    children_reserve(&tree->children, tree->count + 1);
    struct children_search search = children_begin(&tree->children, parent, hash);
    while (children_next(&tree->children, &search, &number)) {
        ck_assert_uint_lt(number, tree->count);
        tree->compared++;
        if (tree->nodes[number].parent == parent && tree->nodes[number].key == key)
            return number;
    }
    number = tree->count++;
    tree->nodes[number].parent = parent;
    tree->nodes[number].key = key;
    children_put(&tree->children, &search, number);
    return number;
}

/* WIDTH nodes without a parent, and WIDTH below the node 1, are found again. */
static void put_twice(uint32_t width, bool same)
{
    struct tree *tree = calloc(1, sizeof *tree);
    ck_assert_ptr_nonnull(tree);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < width; i++)
            ck_assert_uint_eq(put(tree, CHILDREN_NO_PARENT, i, same), i);
        for (uint32_t i = 0; i < width; i++)
            ck_assert_uint_eq(put(tree, 1, i, same), width + i);
    }
    ck_assert_uint_eq(tree->count, 2 * width);
    children_free(&tree->children);
    free(tree);
}

TEST(found_again)
{
    put_twice(CHILDREN_LISTED, false);
    put_twice(CHILDREN_LISTED + 2, true);
    put_twice(10000, false);
}

/* A search among 10,000 children compares only the listed children and the wanted one. */
TEST(not_all_compared)
{
    struct tree *tree = calloc(1, sizeof *tree);
    ck_assert_ptr_nonnull(tree);
    put(tree, CHILDREN_NO_PARENT, 0, false);
    for (uint32_t i = 0; i < 10000; i++)
        put(tree, 0, i, false);
    tree->compared = 0;
    ck_assert_uint_eq(put(tree, 0, 9999, false), 10000);
    ck_assert_uint_ge(tree->compared, 1);
    ck_assert_uint_le(tree->compared, CHILDREN_LISTED + 2);
    children_free(&tree->children);
    free(tree);
}
