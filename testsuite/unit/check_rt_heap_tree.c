/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/blocks.c rt/heap/tree.c rt/os/lock.c rt/os/memory.c */
/* The table of blocks and its trees of regions, for all distances between two blocks. All
   blocks are found in the right leaves, and the memory is limited. */

#include "rt_tests.h"
#include "random.h"
#include "rt/heap/blocks.h"
#include "rt/heap/tree.h"

#define BASE     UINT64_C(0x7f3480000000)
#define NO_LIMIT UINT64_MAX

static struct ccprof_heap_blocks *blocks;

/* The model: the number of blocks, and the sum of their addresses. */
static uint64_t count, sum;

static void set_up(void)
{
    blocks = calloc(1, sizeof *blocks);
}

static void tear_down(void)
{
    free(blocks);
}

/* Returns the data of the block with this LIFE. An address is used by several blocks one
   after the other, with different lives. */
static struct ccprof_heap_block block_at(uint64_t address, uint32_t life)
{
    return (struct ccprof_heap_block){.address = address,
                                      .size = address / 8 % 1000 + life,
                                      .stack = (uint32_t)address + life,
                                      .born = 7};
}

static void put(uint64_t address, uint32_t life)
{
    const struct ccprof_heap_block block = block_at(address, life);
    struct ccprof_heap_block before;

    MUST(ccprof_heap_blocks_put(blocks, &block, NO_LIMIT, &before));
    MUST(before.address == 0);
    count++;
    sum += address;
}

static void take(uint64_t address, uint32_t life)
{
    const struct ccprof_heap_block want = block_at(address, life);
    struct ccprof_heap_block block;

    MUST(ccprof_heap_blocks_take(blocks, address, &block));
    MUST(block.address == address);
    MUST(block.size == address / 8 % 1000 + life);
    MUST(block.stack == want.stack);
    MUST(block.born == 7);
    MUST(!ccprof_heap_blocks_take(blocks, address, &block));
    count--;
    sum -= address;
}

/* Counts the nodes, and checks that blocks are in the right leaves. */
struct found {
    uint64_t blocks, leaves, branches;
};

static void look_at(uint64_t reference, uint64_t root, uint64_t base, struct found *found)
{
    const union ccprof_heap_node *node = ccprof_heap_tree_node(reference);

    if (!(reference & CCPROF_HEAP_TREE_BRANCHES)) {
        found->leaves++;
        found->blocks += node->leaf.count;
        for (uint32_t i = 0; i < node->leaf.count; i++)
            MUST(ccprof_heap_tree_leaf(root, base | (uint64_t)node->leaf.place.bits[i]
                                                        << 3) == &node->leaf);
        return;
    }
    found->branches++;
    for (unsigned i = 0; i < CCPROF_HEAP_BRANCHES; i++)
        if (i == 0 || node->below[i] != node->below[i - 1])
            look_at(node->below[i], root, base, found);
}

static void add_one(void *of, uint64_t address, const struct ccprof_heap_record *record)
{
    uint64_t *sums = of;
    (void)record;
    sums[0]++;
    sums[1] += address;
}

/* Checks that all nodes are in use or free, and that the blocks are those of the
   model. */
static struct found look(void)
{
    struct found found = {0};
    uint64_t sums[2] = {0}, had = 0, unused = 0, counted = 0;

    for (uint32_t i = 0; i < CCPROF_HEAP_BLOCKS_SHARDS; i++) {
        const struct ccprof_heap_shard *shard = &blocks->shard[i];
        had += shard->nodes.had;
        unused += shard->nodes.free_count;
        counted += shard->count;
        for (uint32_t at = 0; at < shard->places; at++)
            if (shard->region[at].root != 0)
                look_at(shard->region[at].root, shard->region[at].root,
                        shard->region[at].number << CCPROF_HEAP_REGION, &found);
    }
    ck_assert_uint_eq(found.blocks, count);
    ck_assert_uint_eq(counted, count);
    ck_assert_uint_eq(found.leaves + found.branches + unused, had);
    ccprof_heap_blocks_each(blocks, add_one, sums);
    ck_assert_uint_eq(sums[0], count);
    ck_assert_uint_eq(sums[1], sum);
    return found;
}

/* The distance between two blocks, and the most memory per block if there are many
   blocks, in bytes. */
static const struct {
    uint32_t between, most;
} spaces[] = {{8, 40}, {48, 50}, {1000, 50}, {20000, 60}, {1000000, 700}};

TEST_ROWS(neighbours, spaces)
{
    const uint32_t many = 30000, between = spaces[_i].between;

    for (uint32_t i = 0; i < many; i++)
        put(BASE + (uint64_t)i * between, 0);
    look();
    const uint64_t memory = blocks->pool.memory;
    ck_assert_uint_le(memory / many, spaces[_i].most);
    /* Freed memory is used again. */
    for (uint32_t i = 0; i < many; i++)
        take(BASE + (uint64_t)i * between, 0);
    ck_assert_uint_eq(look().branches, 0);
    for (uint32_t i = 0; i < many; i++)
        put(BASE + (uint64_t)i * between, 0);
    look();
    ck_assert_uint_le(blocks->pool.memory, memory);
}

/* Only a few of many blocks remain. Their memory is limited, too. */
TEST(few_are_left)
{
    const uint32_t many = 64 * 900, of = 64;

    for (uint32_t i = 0; i < many; i++)
        put(BASE + (uint64_t)i * 32, 0);
    for (uint32_t i = 0; i < many; i++)
        if (i % of != 5)
            take(BASE + (uint64_t)i * 32, 0);
    ck_assert_uint_eq(count, many / of);
    ck_assert_uint_le(look().leaves * 5, many / of);
}

#define PLACES 40000

/* Either in two and a half regions, or in four places that are far from each other. */
static uint64_t address_of(uint64_t number, bool apart)
{
    return apart ? UINT64_C(0x7f0000000010) + number % 4 * 0x10000000000 + number / 4 * 32
                 : BASE + number % 3 * 0x3fff00 + number / 3 * 24;
}

/* Adds and removes blocks at random, and compares with a list. A block replaces an older
   block at the same address. */
TEST_TIMES(in_any_order, 2)
{
    static uint32_t life[PLACES]; /* 0: no block */
    struct ccprof_heap_block block, before;

    for (uint32_t i = 1; i <= 300000; i++) {
        /* Fewer and fewer blocks, so that leaves are merged, and then many again. */
        uint64_t number = random_below(PLACES >> i / 20000 % 4);
        uint64_t address = address_of(number, _i);
        if (life[number]) {
            take(address, life[number]);
            life[number] = 0;
            continue;
        }
        MUST(!ccprof_heap_blocks_take(blocks, address, &block));
        put(address, i + 1);
        life[number] = i;
        block = block_at(address, i);
        MUST(ccprof_heap_blocks_put(blocks, &block, NO_LIMIT, &before));
        MUST(before.address == address && before.stack == (uint32_t)address + i + 1);
        if (i % 5000 == 0)
            look();
    }
    look();
    for (uint64_t number = 0; number < PLACES; number++)
        if (life[number])
            take(address_of(number, _i), life[number]);
    ck_assert_uint_eq(count, 0);
    look();
}

/* If allocations fail, no block is lost. They fail at random. */
TEST(without_memory)
{
    struct ccprof_heap_block before, block = {.size = 1};

    for (uint32_t i = 0; i < 50000; i++) {
        const uint64_t limit = random_below(10) ? blocks->pool.memory : NO_LIMIT;
        block.address = BASE + random_below(1 << 20) * 16;
        bool fits = ccprof_heap_blocks_put(blocks, &block, limit, &before);
        MUST(blocks->pool.memory <= limit);
        if (!fits) {
            MUST(limit != NO_LIMIT);
            MUST(before.address == 0);
            MUST(!ccprof_heap_blocks_take(blocks, block.address, &before));
        } else if (before.address == 0) {
            count++;
            sum += block.address;
        }
    }
    ck_assert_uint_gt(count, 1000);
    look();
}

TEST_AROUND(set_up, tear_down)
