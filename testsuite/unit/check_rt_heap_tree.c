/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/heap-blocks.c rt/heap/heap-nodes.c rt/heap/heap-tree.c rt/os/pages.c */
/* links: rt/os/spin.c */
/* The trees of regions, whatever is between two blocks: that all blocks are there, in
   which leaves, and what memory that takes.  */

#include "rt_tests.h"
#include "rt/heap/heap-blocks.h"
#include "rt/heap/heap-tree.h"

#define BASE     UINT64_C(0x7f3480000000)
#define NO_LIMIT UINT64_MAX

static uint64_t state = 1;

/* Knuth's generator (MMIX).  */
static uint32_t random_below(uint32_t most)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % most;
}

static struct ccprof_heap_blocks *blocks;

static void set_up(void)
{
    blocks = calloc(1, sizeof *blocks);
}

static void tear_down(void)
{
    free(blocks);
}

static void put(uint64_t address)
{
    const struct ccprof_heap_block block = {
        .address = address, .packed = address * 3, .stack = (uint32_t)address, .born = 7};
    struct ccprof_heap_block before;

    ck_assert(ccprof_heap_blocks_put(blocks, &block, NO_LIMIT, &before));
    ck_assert_uint_eq(before.address, 0);
}

static void take(uint64_t address)
{
    struct ccprof_heap_block block;

    ck_assert(ccprof_heap_blocks_take(blocks, address, &block));
    ck_assert_uint_eq(block.address, address);
    ck_assert_uint_eq(block.packed, address * 3);
    ck_assert_uint_eq(block.stack, (uint32_t)address);
    ck_assert_uint_eq(block.born, 7);
    ck_assert(!ccprof_heap_blocks_take(blocks, address, &block));
}

/* What nodes there are, and whether leaves are where their blocks belong.  */
struct found {
    uint64_t blocks, leaves, branches;
};

static void look_at_leaf(const struct ccprof_heap_leaf *leaf, uint64_t root,
                         uint64_t base, struct found *found)
{
    found->leaves++;
    found->blocks += leaf->count;
    for (uint32_t i = 0; i < leaf->count; i++)
        ck_assert_ptr_eq(
            ccprof_heap_tree_leaf(root, base | (uint64_t)leaf->place.of[i] << 3), leaf);
}

static void look_at(uint64_t reference, uint64_t root, uint64_t base, struct found *found)
{
    const union ccprof_heap_node *node = ccprof_heap_tree_node(reference);

    if (!(reference & CCPROF_HEAP_TREE_BRANCHES)) {
        look_at_leaf(&node->leaf, root, base, found);
        return;
    }
    found->branches++;
    for (unsigned i = 0; i < CCPROF_HEAP_BRANCHES; i++)
        if (i == 0 || node->below[i] != node->below[i - 1])
            look_at(node->below[i], root, base, found);
}

static void add_one(void *of, uint64_t address)
{
    uint64_t *sums = of;
    sums[0]++;
    sums[1] += address;
}

/* All nodes are in use or free, and there are COUNT blocks, whose addresses are SUM.  */
static struct found look(uint64_t count, uint64_t sum)
{
    struct found found = {0};
    uint64_t sums[2] = {0}, had = 0, unused = 0;

    for (uint32_t i = 0; i < CCPROF_HEAP_BLOCKS_SHARDS; i++) {
        const struct ccprof_heap_shard *shard = &blocks->shard[i];
        had += shard->nodes.had;
        unused += shard->nodes.free_count;
        for (uint32_t at = 0; at < shard->places; at++)
            if (shard->region[at].root != 0)
                look_at(shard->region[at].root, shard->region[at].root,
                        shard->region[at].number << CCPROF_HEAP_REGION, &found);
    }
    ck_assert_uint_eq(found.blocks, count);
    ck_assert_uint_eq(found.leaves + found.branches + unused, had);
    ccprof_heap_blocks_each(blocks, add_one, sums);
    ck_assert_uint_eq(sums[0], count);
    ck_assert_uint_eq(sums[1], sum);
    return found;
}

/* Bytes between two blocks; what a block takes at most, in bytes, where there are many.
 */
static const struct {
    uint32_t between, most;
} spaces[] = {{8, 40},   {16, 40},   {32, 40},   {48, 50},    {96, 50},
              {208, 50}, {1000, 50}, {5000, 50}, {20000, 60}, {1000000, 700}};

TEST_EACH(neighbours, spaces)
{
    const uint32_t many = 30000, between = spaces[_i].between;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < many; i++) {
        put(BASE + (uint64_t)i * between);
        sum += BASE + (uint64_t)i * between;
    }
    look(many, sum);
    ck_assert_uint_le(blocks->pool.memory / many, spaces[_i].most);
    const uint64_t memory = blocks->pool.memory;
    /* What was freed is used again.  */
    for (uint32_t i = 0; i < many; i++)
        take(BASE + (uint64_t)i * between);
    struct found found = look(0, 0);
    ck_assert_uint_eq(found.branches, 0);
    for (uint32_t i = 0; i < many; i++)
        put(BASE + (uint64_t)i * between);
    look(many, sum);
    ck_assert_uint_le(blocks->pool.memory, memory);
}

/* A leaf that is full holds neighbours of one region alone, and no more leaves are there
   than blocks that are far from each other need.  */
TEST(few_blocks_of_a_region_are_one_leaf)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < CCPROF_HEAP_LEAF_MOST; i++) {
        put(BASE + i * 8);
        put(BASE + (1 << CCPROF_HEAP_REGION) + i * 4096);
        sum += 2 * BASE + (1 << CCPROF_HEAP_REGION) + i * 4104;
    }
    struct found found = look(2 * CCPROF_HEAP_LEAF_MOST, sum);
    ck_assert_uint_eq(found.leaves, 2);
    ck_assert_uint_eq(found.branches, 0);
    put(BASE + 4096);
    found = look(2 * CCPROF_HEAP_LEAF_MOST + 1, sum + BASE + 4096);
    /* From the whole region down to two ranges of 128 bytes: a leaf for each step.  */
    ck_assert_uint_gt(found.leaves, 3);
    ck_assert_uint_eq(found.branches, 2);
    take(BASE + 4096);
    for (uint64_t i = 3; i < CCPROF_HEAP_LEAF_MOST; i++)
        take(BASE + i * 8);
    found = look(CCPROF_HEAP_LEAF_MOST + 3,
                 sum - (BASE + 3 * 8 + BASE + (CCPROF_HEAP_LEAF_MOST - 1) * 8) *
                           (CCPROF_HEAP_LEAF_MOST - 3) / 2);
    ck_assert_uint_le(found.leaves, 6);
}

/* Few of many are left, here and there: what they take is bounded, too.  */
TEST(few_are_left)
{
    const uint32_t many = 64 * 900, of = 64;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < many; i++)
        put(BASE + (uint64_t)i * 32);
    for (uint32_t i = 0; i < many; i++) {
        if (i % of == 5)
            sum += BASE + (uint64_t)i * 32;
        else
            take(BASE + (uint64_t)i * 32);
    }
    struct found found = look(many / of, sum);
    ck_assert_uint_le(found.leaves * 5, many / of);
}

/* In a random order, in and out, as in a list of what is there.  */
TEST(in_any_order)
{
    enum { PLACES = 20000 };
    static bool there[PLACES];
    uint64_t count = 0, sum = 0;

    for (uint32_t i = 0; i < 150000; i++) {
        /* Fewer and fewer of them, so that leaves are united, and many again.  */
        uint32_t number = random_below(PLACES >> i / 10000 % 4);
        uint64_t address = BASE + (uint64_t)(number % 3) * 0x3fff00 + number / 3 * 24;
        if (there[number])
            take(address);
        else
            put(address);
        count += there[number] ? UINT64_MAX : 1;
        sum += there[number] ? -address : address;
        there[number] = !there[number];
        if (i % 5000 == 0)
            look(count, sum);
    }
    look(count, sum);
}

/* Without memory nothing is lost, whatever is missing.  */
TEST(without_memory)
{
    struct ccprof_heap_block before, block = {.packed = 1};
    uint64_t count = 0, sum = 0;

    for (uint32_t i = 0; i < 50000; i++) {
        const uint64_t limit = random_below(10) ? blocks->pool.memory : NO_LIMIT;
        block.address = BASE + (uint64_t)random_below(1 << 20) * 16;
        if (!ccprof_heap_blocks_put(blocks, &block, limit, &before)) {
            ck_assert_uint_ne(limit, NO_LIMIT);
            ck_assert_uint_eq(before.address, 0);
            ck_assert(!ccprof_heap_blocks_take(blocks, block.address, &before));
            continue;
        }
        count += before.address == 0;
        sum += before.address == 0 ? block.address : 0;
    }
    ck_assert_uint_gt(count, 1000);
    look(count, sum);
}

/* What is behind the last block of a leaf is nothing.  */
TEST(places_of_a_leaf)
{
    struct ccprof_heap_leaf leaf;

    memset(&leaf, 0xff, sizeof leaf);
    for (uint32_t i = 0; i < CCPROF_HEAP_LEAF_MOST; i++)
        leaf.place.of[i] = (uint16_t)(i ^ 1);
    for (uint32_t i = 0; i < CCPROF_HEAP_LEAF_MOST; i++)
        ck_assert_uint_eq(ccprof_heap_tree_find(&leaf, (uint16_t)(i ^ 1)), i);
    for (uint32_t place = CCPROF_HEAP_LEAF_MOST; place <= UINT16_MAX; place++)
        ck_assert_uint_eq(ccprof_heap_tree_find(&leaf, (uint16_t)place),
                          CCPROF_HEAP_LEAF_MOST);
    leaf.place.of[9] = 3;
    ck_assert_uint_eq(ccprof_heap_tree_find(&leaf, 3), 2);
}

TEST_MAIN(set_up, tear_down)
