/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/blocks.c rt/heap/stacks.c rt/heap/tree.c rt/os/lock.c rt/os/memory.c */
/* The tree of stacks, the peak, the points of sizes and the filter of blocks. (The table
   of blocks: check_rt_heap_tree.) */

#include "rt_tests.h"
#include "random.h"
#include <math.h>

#include "rt/format.h"
#include "rt/heap/blocks.h"
#include "rt/heap/stacks.h"

#define OPERATIONS 300000
#define ROOT       CCPROF_HEAP_STACKS_ROOT
#define CUT        CCPROF_HEAP_STACKS_CUT

static struct ccprof_heap_stacks *stacks;

static void setup(void)
{
    stacks = calloc(1, sizeof *stacks);
    ck_assert(ccprof_heap_stacks_start(stacks));
}

static void teardown(void)
{
    free(stacks);
}

static void assert_amount(struct ccprof_heap_amount got, uint64_t blocks, uint64_t bytes)
{
    ck_assert_uint_eq(got.blocks, blocks);
    ck_assert_uint_eq(got.bytes, bytes);
}

/* Checks the peak: BYTES in all, one block of BYTES_OF_ONE in ONE, and the rest in
   OTHER. */
static void assert_peak(uint32_t one, uint64_t bytes_of_one, uint32_t other,
                        uint64_t blocks_of_other, uint64_t bytes)
{
    const struct ccprof_heap_point *point = ccprof_heap_stacks_point(stacks, one);
    assert_amount(stacks->at_peak, 1 + blocks_of_other, bytes);
    assert_amount(ccprof_heap_stacks_at_peak(stacks, point), 1, bytes_of_one);
    point = ccprof_heap_stacks_point(stacks, other);
    assert_amount(ccprof_heap_stacks_at_peak(stacks, point), blocks_of_other,
                  bytes - bytes_of_one);
}

/* Checks the amounts of each stack at the peak. Later changes do not affect them.
   Computed by hand. (Random ones: heap-sampled; by line: heap-massif.) */
TEST(the_peak_of_stacks)
{
    const uint32_t one = ccprof_heap_stacks_put(stacks, ROOT, 0x1000);
    const uint32_t other = ccprof_heap_stacks_put(stacks, one, 0x2000);

    ck_assert_uint_eq(ccprof_heap_stacks_put(stacks, one, 0x2000), other);
    ck_assert_uint_eq(ccprof_heap_stacks_put(stacks, ROOT, CCPROF_POINT_CUT), CUT);
    ck_assert(ccprof_heap_stacks_allocate(stacks, one, 10, 10, true));
    ck_assert(ccprof_heap_stacks_allocate(stacks, other, 5, 5, true));
    ccprof_heap_stacks_free(stacks, one, 10, 10);
    ck_assert(!ccprof_heap_stacks_allocate(stacks, other, 3, 3, true));
    assert_peak(one, 10, other, 1, 15);
    ck_assert(ccprof_heap_stacks_allocate(stacks, one, 20, 20, true));
    assert_peak(one, 20, other, 2, 28);
    ccprof_heap_stacks_free(stacks, other, 5, 5);
    assert_peak(one, 20, other, 2, 28);
    /* The child of a fork has its own peak, which starts with the blocks in use. */
    ccprof_heap_stacks_restart(stacks);
    assert_amount(stacks->allocated, 0, 0);
    assert_amount(stacks->freed, 0, 0);
    assert_peak(one, 20, other, 1, 23);
    ccprof_heap_stacks_free(stacks, one, 20, 20);
    assert_peak(one, 20, other, 1, 23);
}

/* Many stacks have independent amounts, and the child of a fork starts from zero. */
TEST(lives_of_stacks)
{
    for (int round = 0; round < 3; round++) {
        if (round == 2)
            ccprof_heap_stacks_restart(stacks);
        for (uint32_t i = 0; i < 3 * CCPROF_HEAP_STACKS_LIVES; i++) {
            uint32_t stack = ccprof_heap_stacks_put(stacks, ROOT, 16 + i);
            struct ccprof_heap_life *life = ccprof_heap_stacks_life(stacks, stack);
            MUST(life && life->lived[1].bytes == (round == 1 ? i : 0));
            life->lived[1].bytes = i;
        }
    }
}

/* The peak is determined by the weights of samples, not by their bytes. */
TEST(the_peak_goes_by_weights)
{
    ck_assert(ccprof_heap_stacks_allocate(stacks, CUT, 10, 1000, true));
    ck_assert_uint_eq(stacks->at_peak.bytes, 10);
    ccprof_heap_stacks_free(stacks, CUT, 10, 1000);
    ck_assert(!ccprof_heap_stacks_allocate(stacks, CUT, 900, 999, true));
    ck_assert_uint_eq(stacks->at_peak.bytes, 10);
    ck_assert(ccprof_heap_stacks_allocate(stacks, CUT, 1, 2, true));
    ck_assert_uint_eq(stacks->at_peak.bytes, 901);
    ck_assert_uint_eq(stacks->at_peak.blocks, 2);
    /* There is no room for the next block. */
    ck_assert(!ccprof_heap_stacks_allocate(stacks, CUT, 10, 10, false));
    ck_assert_uint_eq(stacks->allocated.bytes, 921);
    ck_assert_uint_eq(stacks->at_peak.blocks, 2);
}

/* The address of a sampled block, anywhere in the arenas of glibc's allocator. */
static uint64_t sampled_address(uint64_t number)
{
    return UINT64_C(0x7f0000000010) + (number % 4 << 26) +
           (number * UINT64_C(0x9e3779b97f4a7c15) >> 42) * 16;
}

/* Half of the blocks are in the table at a time. The filter may give a wrong answer
   only for the other half. */
TEST(a_filter_loses_no_block)
{
    static const struct ccprof_heap_blocks every_block;
    static bool there[2000];
    uint64_t memory = 0;
    struct ccprof_heap_filter *filter =
        ccprof_heap_filter_make(CCPROF_HEAP_FILTER_LEAST, &memory);
    unsigned wrong = 0;

    /* Before anything is counted, and if every block is counted. */
    ck_assert(!ccprof_heap_filter_may(filter));
    ccprof_heap_blocks_record(&every_block);
    ck_assert(ccprof_heap_filter_may(filter));
    ck_assert_ptr_nonnull(filter);
    ck_assert_uint_ge(memory, CCPROF_HEAP_FILTER_LEAST * (4 + 1 / 8));
    ccprof_heap_filter = filter;
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        uint64_t number = random_below(LENGTH(there)), address = sampled_address(number);
        bool may = ccprof_heap_filter_may((void *)(uintptr_t)address);
        MUST(may || !there[number]);
        wrong += may && !there[number];
        if (there[number])
            ccprof_heap_filter_remove(filter, address);
        else
            ccprof_heap_filter_add(filter, address);
        there[number] = !there[number];
    }
    for (uint32_t number = 0; number < LENGTH(there); number++)
        if (there[number])
            ccprof_heap_filter_remove(filter, sampled_address(number));
    for (uint64_t i = 0; i < CCPROF_HEAP_FILTER_LEAST / 64; i++)
        MUST(filter->bits[i] == 0);
    /* A thousand blocks are in the filter, which has 65,536 places. */
    ck_assert_uint_lt(wrong, OPERATIONS / 10);
}

/* Returns the size that is stored for a stack's block of SIZE bytes. */
static uint64_t kept_size(uint32_t stack, uint64_t size)
{
    return ccprof_heap_sizes_of(stacks, ccprof_heap_sizes_put(stacks, stack, size));
}

/* A few sizes are stored exactly. Many sizes share points. The stored size is near the
   real one, and right on average: within five standard deviations for this number of
   blocks. */
TEST(many_sizes_are_rounded)
{
    const uint32_t caller = ccprof_heap_stacks_put(stacks, 0, 0x1000);
    double error = 0, variance = 0;

    for (int again = 0; again < 2; again++)
        for (uint64_t i = 0; i < CCPROF_HEAP_SIZES_EXACT; i++)
            MUST(kept_size(caller, i * i * 12345) == i * i * 12345);
    ck_assert_uint_eq(stacks->sizes, CCPROF_HEAP_SIZES_EXACT);
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        const uint64_t size = random_below(1 << 30) << random_below(10);
        const uint64_t rounded = kept_size(caller, size);
        MUST((uint64_t)llabs((int64_t)(rounded - size)) <= size / 256);
        error += (double)rounded / (double)(size + 1) - (double)size / (double)(size + 1);
        variance += 1.0 / 256 / 256 / 4;
    }
    ck_assert_uint_lt(stacks->sizes, 3 * CCPROF_HEAP_SIZES_EXACT);
    ck_assert(fabs(error) < 5 * sqrt(variance));
    /* Small sizes stay exact. */
    for (uint64_t size = 0; size < 512; size++)
        MUST(kept_size(caller, size) == size);
    /* Many stacks, each with many sizes. */
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        const uint64_t size = random_below(1 << 20);
        const uint32_t other = ccprof_heap_stacks_put(stacks, 0, 0x2000 + i % 1000);
        MUST((uint64_t)llabs((int64_t)(kept_size(other, size) - size)) <= size / 8);
    }
    ck_assert_uint_lt(stacks->sizes, 12 * CCPROF_HEAP_SIZES_EXACT);
}

TEST_AROUND(setup, teardown)
