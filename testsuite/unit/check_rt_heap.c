/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/heap-blocks.c rt/heap/heap-filter.c rt/heap/heap-nodes.c */
/* links: rt/heap/heap-sizes.c rt/heap/heap-stacks.c rt/heap/heap-tree.c */
/* links: rt/os/pages.c rt/os/spin.c */
/* The table of blocks, its filter, the tree of stacks and the points of sizes, against
   plain models.  */

#include "rt_tests.h"
#include <math.h>

#include "rt/format.h"
#include "rt/heap/heap-blocks.h"
#include "rt/heap/heap-filter.h"
#include "rt/heap/heap-sizes.h"
#include "rt/heap/heap-stacks.h"

#define OPERATIONS 300000
#define NO_LIMIT   UINT64_MAX

static uint64_t state = 1;

/* Knuth's generator (MMIX).  */
static uint32_t random_below(uint32_t most)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % most;
}

/* The model of the table: block number N, if alive, has a size.  Addresses lie close
   together, as an allocator's do, and in few places.  */
#define BLOCKS 40000

static bool alive[BLOCKS];
static uint64_t sizes[BLOCKS];

static uint64_t address_of(uint32_t number)
{
    return UINT64_C(0x7f0000000010) + (uint64_t)(number % 4) * 0x10000000000 +
           (uint64_t)(number / 4) * 32;
}

static void assert_same(struct ccprof_heap_blocks *blocks, uint32_t number)
{
    struct ccprof_heap_block block;

    ck_assert_int_eq(ccprof_heap_blocks_take(blocks, address_of(number), &block),
                     alive[number]);
    if (!alive[number])
        return;
    ck_assert_uint_eq(block.address, address_of(number));
    ck_assert_uint_eq(ccprof_heap_block_size(&block), sizes[number]);
    ck_assert_uint_eq(ccprof_heap_block_thread(&block), (uint16_t)(number * 7));
    ck_assert_uint_eq(block.stack, number);
}

static uint64_t count_blocks(const struct ccprof_heap_blocks *blocks)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < CCPROF_HEAP_BLOCKS_SHARDS; i++)
        count += blocks->shard[i].count;
    return count;
}

/* Puts a block twice; the second one takes the place of the first.  */
static void put_block(struct ccprof_heap_blocks *blocks,
                      const struct ccprof_heap_block *block)
{
    struct ccprof_heap_block other = *block, before;
    const uint64_t count = count_blocks(blocks);

    other.stack = UINT32_MAX;
    ck_assert(ccprof_heap_blocks_put(blocks, &other, NO_LIMIT, &before));
    ck_assert_uint_eq(before.address, 0);
    ck_assert(ccprof_heap_blocks_put(blocks, block, NO_LIMIT, &before));
    ck_assert_uint_eq(before.address, block->address);
    ck_assert_uint_eq(before.stack, UINT32_MAX);
    ck_assert_uint_eq(count_blocks(blocks), count + 1);
}

static void no_block(void *of, uint64_t address)
{
    ck_abort_msg("there is %llx", (unsigned long long)address);
}

TEST(blocks_as_in_a_model)
{
    struct ccprof_heap_blocks *blocks = calloc(1, sizeof *blocks);

    for (uint32_t i = 0; i < OPERATIONS; i++) {
        uint32_t number = random_below(BLOCKS);
        assert_same(blocks, number);
        alive[number] = !alive[number];
        sizes[number] = random_below(1000);
        const struct ccprof_heap_block block = {
            .address = address_of(number),
            .packed = ccprof_heap_block_pack(sizes[number], number * 7),
            .stack = number};
        if (alive[number])
            put_block(blocks, &block);
    }
    for (uint32_t number = 0; number < BLOCKS; number++)
        assert_same(blocks, number);
    ck_assert_uint_eq(count_blocks(blocks), 0);
    ccprof_heap_blocks_each(blocks, no_block, NULL);
    free(blocks);
}

TEST(blocks_have_a_limit)
{
    struct ccprof_heap_blocks *blocks = calloc(1, sizeof *blocks);
    const uint64_t limit = 4 << 20;
    struct ccprof_heap_block block = {.packed = ccprof_heap_block_pack(1, 0)}, before;
    uint32_t added = 0;

    for (uint32_t i = 0; i < BLOCKS * 8; i++) {
        block.address = 16 + (uint64_t)i * 16;
        added += ccprof_heap_blocks_put(blocks, &block, limit, &before);
        ck_assert_uint_le(blocks->pool.memory, limit);
    }
    ck_assert_uint_lt(added, BLOCKS * 8);
    ck_assert_uint_gt(added, limit / sizeof block / 4);
    /* What was refused is not there, and all else is.  */
    uint32_t found = 0;
    for (uint32_t i = 0; i < BLOCKS * 8; i++)
        found += ccprof_heap_blocks_take(blocks, 16 + (uint64_t)i * 16, &block);
    ck_assert_uint_eq(found, added);
    free(blocks);
}

static struct ccprof_heap_stacks *new_stacks(void)
{
    struct ccprof_heap_stacks *stacks = calloc(1, sizeof *stacks);
    ck_assert(ccprof_heap_stacks_start(stacks));
    return stacks;
}

TEST(one_number_for_each_stack)
{
    enum { CALLERS = 30, ADDRESSES = 1000 };
    struct ccprof_heap_stacks *stacks = new_stacks();
    static uint32_t numbers[CALLERS][ADDRESSES];

    ck_assert_uint_eq(
        ccprof_heap_stacks_put(stacks, CCPROF_HEAP_STACKS_ROOT, CCPROF_POINT_CUT),
        CCPROF_HEAP_STACKS_CUT);
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 0; i < CALLERS; i++)
            for (uint32_t j = 0; j < ADDRESSES; j++) {
                uint32_t caller = i ? numbers[i - 1][i] : CCPROF_HEAP_STACKS_ROOT;
                uint32_t number = ccprof_heap_stacks_put(stacks, caller, 0x1000 + j);
                ck_assert_uint_gt(number, caller);
                if (again)
                    ck_assert_uint_eq(number, numbers[i][j]);
                else
                    ck_assert_uint_eq(number, stacks->count - 1);
                numbers[i][j] = number;
            }
    ck_assert_uint_eq(stacks->count, CALLERS * ADDRESSES + 2);
    free(stacks);
}

/* The model of the stacks: what each has alive, and all of that at the peak.  */
#define STACKS 50
#define HELD   500

struct held {
    uint32_t stack; /* 0: none */
    uint64_t bytes;
};

static struct ccprof_heap_amount now[STACKS + 2], at_peak[STACKS + 2], sum, most;
static struct held held[HELD];

static void model(uint32_t stack, uint64_t bytes, int sign)
{
    now[stack].blocks += (uint64_t)sign;
    now[stack].bytes += (uint64_t)sign * bytes;
    sum.blocks += (uint64_t)sign;
    sum.bytes += (uint64_t)sign * bytes;
    if (sum.bytes > most.bytes) {
        most = sum;
        memcpy(at_peak, now, sizeof now);
    }
}

static void assert_peak(const struct ccprof_heap_stacks *stacks)
{
    ck_assert_uint_eq(stacks->most.bytes, most.bytes);
    ck_assert_uint_eq(stacks->most.blocks, most.blocks);
    ck_assert_uint_eq(stacks->alive.bytes, sum.bytes);
    for (uint32_t i = CCPROF_HEAP_STACKS_CUT; i < stacks->count; i++) {
        const struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, i);
        const struct ccprof_heap_amount peak = ccprof_heap_stacks_at_peak(stacks, point);
        ck_assert_uint_eq(point->alive.blocks, now[i].blocks);
        ck_assert_uint_eq(point->alive.bytes, now[i].bytes);
        ck_assert_uint_eq(peak.blocks, at_peak[i].blocks);
        ck_assert_uint_eq(peak.bytes, at_peak[i].bytes);
    }
}

/* More is alive in some stretches and less in others, so that there are many peaks.  */
static void allocate_and_free(struct ccprof_heap_stacks *stacks, uint32_t operations)
{
    for (uint32_t i = 0; i < operations; i++) {
        struct held *one = &held[random_below(HELD * (1 + i / 1000 % 4) / 4)];
        if (one->stack) {
            ccprof_heap_stacks_free(stacks, one->stack, one->bytes, one->bytes);
            model(one->stack, one->bytes, -1);
            one->stack = 0;
        } else {
            uint64_t before = most.bytes;
            one->stack = CCPROF_HEAP_STACKS_CUT + random_below(STACKS + 1);
            one->bytes = random_below(100);
            bool more = ccprof_heap_stacks_allocate(stacks, one->stack, one->bytes,
                                                    one->bytes, true);
            model(one->stack, one->bytes, 1);
            ck_assert_int_eq(more, most.bytes > before);
        }
        if (i % 97 == 0)
            assert_peak(stacks);
    }
    assert_peak(stacks);
}

TEST(the_peak_as_in_a_model)
{
    struct ccprof_heap_stacks *stacks = new_stacks();

    for (uint32_t i = 0; i < STACKS; i++)
        ccprof_heap_stacks_put(stacks, CCPROF_HEAP_STACKS_ROOT, 0x1000 + i);
    assert_peak(stacks);
    allocate_and_free(stacks, OPERATIONS / 10);

    /* The child of a fork has a peak of its own, which begins with what is alive.  */
    ccprof_heap_stacks_restart(stacks);
    ck_assert_uint_eq(stacks->allocated.blocks, 0);
    ck_assert_uint_eq(stacks->freed.bytes, 0);
    most = sum;
    memcpy(at_peak, now, sizeof now);
    assert_peak(stacks);
    allocate_and_free(stacks, OPERATIONS / 10);
    ck_assert_uint_gt(stacks->peaks, 10);
    free(stacks);
}

TEST(without_room_for_a_block)
{
    struct ccprof_heap_stacks *stacks = new_stacks();

    ck_assert(
        !ccprof_heap_stacks_allocate(stacks, CCPROF_HEAP_STACKS_CUT, 10, 10, false));
    ck_assert_uint_eq(stacks->allocated.bytes, 10);
    ck_assert_uint_eq(stacks->alive.blocks, 0);
    ck_assert_uint_eq(stacks->most.blocks, 0);
    free(stacks);
}

/* Each stack has its life, and the child of a fork begins anew.  */
TEST(lives_of_stacks)
{
    enum { MANY = 3 * CCPROF_HEAP_STACKS_LIVES };
    struct ccprof_heap_stacks *stacks = new_stacks();

    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t stack = ccprof_heap_stacks_put(stacks, CCPROF_HEAP_STACKS_ROOT, 16 + i);
        struct ccprof_heap_life *life = ccprof_heap_stacks_life(stacks, stack);
        ck_assert_ptr_nonnull(life);
        ck_assert_uint_eq(life->lived[CCPROF_LIVES - 1].blocks, 0);
        ccprof_heap_stacks_add(&life->lived[CCPROF_LIVES - 1], i);
        ck_assert_ptr_eq(ccprof_heap_stacks_life(stacks, stack), life);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t stack = ccprof_heap_stacks_put(stacks, CCPROF_HEAP_STACKS_ROOT, 16 + i);
        ck_assert_uint_eq(
            ccprof_heap_stacks_life(stacks, stack)->lived[CCPROF_LIVES - 1].bytes, i);
    }
    ccprof_heap_stacks_restart(stacks);
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t stack = ccprof_heap_stacks_put(stacks, CCPROF_HEAP_STACKS_ROOT, 16 + i);
        ck_assert_uint_eq(
            ccprof_heap_stacks_life(stacks, stack)->lived[CCPROF_LIVES - 1].blocks, 0);
    }
    free(stacks);
}

/* What is most goes by the weights of samples, which are not their bytes.  */
TEST(the_peak_goes_by_weights)
{
    struct ccprof_heap_stacks *stacks = new_stacks();
    const uint32_t cut = CCPROF_HEAP_STACKS_CUT;

    ck_assert(ccprof_heap_stacks_allocate(stacks, cut, 10, 1000, true));
    ck_assert_uint_eq(stacks->most.bytes, 10);
    ccprof_heap_stacks_free(stacks, cut, 10, 1000);
    ck_assert(!ccprof_heap_stacks_allocate(stacks, cut, 900, 999, true));
    ck_assert_uint_eq(stacks->most.bytes, 10);
    ck_assert(ccprof_heap_stacks_allocate(stacks, cut, 1, 2, true));
    ck_assert_uint_eq(stacks->most.bytes, 901);
    ck_assert_uint_eq(stacks->most.blocks, 2);
    free(stacks);
}

/* Blocks that were sampled lie anywhere in the arenas of glibc's allocator.  */
static uint64_t sampled_address(uint32_t number)
{
    return UINT64_C(0x7f0000000010) + ((uint64_t)(number % 4) << 26) +
           (number * UINT64_C(0x9e3779b97f4a7c15) >> 42) * 16;
}

/* Half of the blocks are in the table at a time; the filter may be wrong only about those
   that are not.  */
TEST(a_filter_loses_no_block)
{
    uint64_t memory = 0;
    struct ccprof_heap_filter *filter =
        ccprof_heap_filter_make(CCPROF_HEAP_FILTER_LEAST, &memory);
    unsigned wrong = 0;

    ck_assert(ccprof_heap_filter_may(filter)); /* before the first one is asked */
    ck_assert_ptr_nonnull(filter);
    ck_assert_uint_ge(memory, CCPROF_HEAP_FILTER_LEAST * (4 + 1 / 8));
    ccprof_heap_filter = filter;
    memset(alive, 0, sizeof alive);
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        uint32_t number = random_below(BLOCKS / 20);
        bool may = ccprof_heap_filter_may((void *)(uintptr_t)sampled_address(number));
        ck_assert(may || !alive[number]);
        wrong += may && !alive[number];
        if (alive[number])
            ccprof_heap_filter_remove(filter, sampled_address(number));
        else
            ccprof_heap_filter_add(filter, sampled_address(number));
        alive[number] = !alive[number];
    }
    for (uint32_t number = 0; number < BLOCKS; number++)
        if (alive[number])
            ccprof_heap_filter_remove(filter, sampled_address(number));
    for (uint64_t i = 0; i < CCPROF_HEAP_FILTER_LEAST / 64; i++)
        ck_assert_uint_eq(filter->bits[i], 0);
    /* A thousand of them are there, of 65,536 places.  */
    ck_assert_uint_lt(wrong, OPERATIONS / 10);
}

/* Few sizes are kept as they are.  */
TEST(few_sizes_are_exact)
{
    struct ccprof_heap_stacks *stacks = new_stacks();
    const uint32_t caller = ccprof_heap_stacks_put(stacks, 0, 0x1000);

    for (int again = 0; again < 2; again++)
        for (uint64_t i = 0; i < CCPROF_HEAP_SIZES_EXACT; i++) {
            const uint64_t size = i * i * 12345;
            const uint32_t point = ccprof_heap_sizes_put(stacks, caller, size);
            ck_assert_uint_eq(ccprof_heap_sizes_of(stacks, point), size);
        }
    ck_assert_uint_eq(stacks->sizes, CCPROF_HEAP_SIZES_EXACT);
    free(stacks);
}

/* Of many sizes there are not as many points.  What they are rounded to is near, and
   right on average: of so many blocks by five standard deviations.  */
TEST(many_sizes_are_rounded)
{
    struct ccprof_heap_stacks *stacks = new_stacks();
    const uint32_t caller = ccprof_heap_stacks_put(stacks, 0, 0x1000);
    double error = 0, variance = 0;

    for (uint32_t i = 0; i < OPERATIONS; i++) {
        const uint64_t size = (uint64_t)random_below(1 << 30) << random_below(10);
        const uint32_t point = ccprof_heap_sizes_put(stacks, caller, size);
        const uint64_t rounded = ccprof_heap_sizes_of(stacks, point);
        ck_assert_uint_le(llabs((int64_t)(rounded - size)), size / 256);
        error += (double)rounded / (double)(size + 1) - (double)size / (double)(size + 1);
        variance += 1.0 / 256 / 256 / 4;
    }
    ck_assert_uint_lt(stacks->sizes, 3 * CCPROF_HEAP_SIZES_EXACT);
    ck_assert(fabs(error) < 5 * sqrt(variance));
    /* What is small stays.  */
    for (uint64_t size = 0; size < 512; size++)
        ck_assert_uint_eq(
            ccprof_heap_sizes_of(stacks, ccprof_heap_sizes_put(stacks, caller, size)),
            size);
    /* Of many stacks, each with many sizes.  */
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        const uint64_t size = random_below(1 << 20);
        const uint32_t other = ccprof_heap_stacks_put(stacks, 0, 0x2000 + i % 1000);
        const uint64_t rounded =
            ccprof_heap_sizes_of(stacks, ccprof_heap_sizes_put(stacks, other, size));
        ck_assert_uint_le(llabs((int64_t)(rounded - size)), size / 8);
    }
    ck_assert_uint_lt(stacks->sizes, 12 * CCPROF_HEAP_SIZES_EXACT);
    free(stacks);
}

TEST_MAIN(NULL, NULL)
