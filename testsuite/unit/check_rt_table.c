/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/table/table.c rt/table/tree.c rt/table/overflow.c rt/os/overflow-file.c */
/* links: rt/os/blocked.c testsuite/unit/stacks.c testsuite/unit/table_fixture.c */
/* The table of samples against a plain list of all that was added: what it keeps, what it
   moves to the overflow log, and what it does where it is frozen or held.  */

#include "rt_tests.h"
#include "rt/table/tree.h"
#include "table_fixture.h"

/* Stacks that have their outermost calls in common, and one that ends in the
   middle of another: the tree is as small as can be.  */
TEST(test_tree)
{
    const struct ccprof_stack stacks[] = {{4, {1, 2, 3, 4}}, {4, {5, 2, 3, 4}},
                                          {2, {3, 4}},       {1, {4}},
                                          {4, {1, 2, 3, 9}}, {3, {1, 1, 1}}};
    for (size_t i = 0; i < LENGTH(stacks); i++)
        add_stack(&stacks[i], 1 + i);
    all_there();
    ck_assert_uint_eq(got.points, 5 + 4 + 3);
}

TEST_TIMES(test_random_stacks, SHAPES)
{
    unsigned seed = 1 + (unsigned)_i;
    struct ccprof_stack stack;

    for (int i = 0; i < shapes[_i].samples; i++) {
        random_stack(&stack, &seed, shapes[_i].depth, shapes[_i].kinds);
        add_stack(&stack, 1 + (uint64_t)(rand_r(&seed) % 3));
    }
    all_there();
    ck_assert_int_eq(shard->file.count != 0, shapes[_i].overflow);
    if (_i >= DEEP && shapes[_i].kinds > 100000)
        ck_assert_uint_gt(shard->filed, 10 * CCPROF_OVERFLOW_WORDS);
}

/* A program with phases: each has stacks of its own, which must find room although
   the table is full of those of the phase before, be they ever so deep.  */
TEST(test_phases)
{
    unsigned seed = 1;
    struct ccprof_stack stack;

    for (int i = 0; i < 1000; i++) {
        random_stack(&stack, &seed, CCPROF_STACK_DEPTH, 1000000);
        add_stack(&stack, 1);
    }
    for (int i = 0; i < 100000; i++) {
        stack.depth = 20;
        for (uint32_t at = 0; at < stack.depth; at++)
            stack.address[at] = 5000000 + (at < 8 ? (unsigned)i % 50 : 0);
        add_stack(&stack, 1);
    }
    /* If none of the second phase were in the table, each sample would take two
       words and those of the 8 addresses in which it differs.  */
    uint64_t words = shard->filed + shard->used, first = 0;
    for (size_t i = 0; i < 1000; i++)
        first += want.item[i].depth + 2;
    ck_assert_uint_lt(words, first + 100000 * 10 / 8);
    all_there();
}

static uint32_t uses, callers;

static void add_uses(const struct ccprof_point *point)
{
    MUST(point->count != 0 || point->uses != 0);
    uses += point->uses;
    callers += point->caller != CCPROF_POINT_ROOT;
}

/* What is kept for nothing is given back: of a table's points, only those above
   samples are in use.  */
TEST(test_uses)
{
    unsigned seed = 1;
    struct ccprof_stack stack;

    for (int i = 0; i < 5000; i++) {
        random_stack(&stack, &seed, 200, 20);
        add_stack(&stack, 1);
    }
    each_point(add_uses);
    ck_assert_uint_eq(uses, callers);
    all_there();
}

static uint64_t in_table;

static void add_those_of_1(const struct ccprof_point *point)
{
    in_table += point->address == 1 ? point->count : 0;
}

/* What is sampled often stays in the table, whatever else comes.  */
TEST(test_frequent_stays)
{
    for (uint64_t i = 0; i < 400000; i++) {
        add(1, 1);
        add(2 + i, 1);
    }
    each_point(add_those_of_1);
    ck_assert_uint_eq(in_table, 400000);
}

TEST(test_frozen)
{
    add(1, 1);
    ccprof_table_freeze(table);
    ccprof_overflow_freeze(overflow_);
    add(1, 2);
    add(2, 4);
    all();
    ck_assert_uint_eq(table->samples, 7);
    ck_assert_uint_eq(table->lost, 6);
    ck_assert_uint_eq(got.sum, 1);
}

/* Cut off in the middle of an add: the bucket's content is not touched, but points below
   those that are cut off are reached.  */
TEST(test_cut_off_above)
{
    struct ccprof_stack stack = {3, {3, 2, 1}};
    uint32_t cut = 0;
    add_stack(&stack, 10);
    add(1, 5);
    for (uint32_t i = 0; i < CCPROF_TABLE_BUCKETS * CCPROF_TABLE_WAYS; i++)
        if (ccprof_table_point(table, CCPROF_POINT_BASE + i)->address == 1)
            cut = i;
    ccprof_spin_try(&table->busy[cut / CCPROF_TABLE_WAYS]);
    stacks_freeze(table, overflow_);
    ck_assert_int_eq(ccprof_tree_each(table, stacks_visit, &got), 0);
    stacks_part_of(&got, &want);
    ck_assert_uint_eq(got.sum, 10);
    ck_assert_uint_eq(got.points, 3);
}

/* A thread has been stopped while it holds the bucket, and others parts of the overflow
   log: what comes meanwhile finds its way as long as there is a shard.  */
TEST(test_held)
{
    struct ccprof_stack stack = {3, {3, 2, 1}};

    add_stack(&stack, 1);
    for (int i = 0; i < CCPROF_TABLE_BUCKETS; i++)
        ck_assert(ccprof_spin_try(&table->busy[i]));
    for (int i = 0; i + 1 < CCPROF_OVERFLOW_SHARDS; i++)
        ck_assert(ccprof_spin_try(&overflow_->shard[i].busy));
    add_stack(&stack, 2);
    stack.address[0] = 9;
    add_stack(&stack, 4);
    ck_assert_uint_eq(table->lost, 0);
    ck_assert(ccprof_spin_try(&overflow_->shard[CCPROF_OVERFLOW_SHARDS - 1].busy));
    ccprof_table_add(table, overflow_, &stack, 8);
    ck_assert_uint_eq(table->lost, 8);
    table->samples -= 8;
    table->lost = 0;
    for (int i = 0; i < CCPROF_TABLE_BUCKETS; i++)
        ccprof_spin_release(&table->busy[i]);
    for (int i = 0; i < CCPROF_OVERFLOW_SHARDS; i++)
        ccprof_spin_release(&overflow_->shard[i].busy);
    add_stack(&stack, 16);
    all_there();
}

TEST_AROUND(table_setup, table_teardown)
