/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/samples/samples.c rt/samples/overflow.c rt/samples/overflow-file.c
   rt/os/file.c rt/os/lock.c testsuite/unit/stacks.c */
/* Compares the table of samples with a plain list of all added samples: the samples it
   keeps, the samples it moves to the overflow log, and its behaviour while frozen or
   held. Also data sets, which are taken out and filled again, and the log's files, which
   have no descriptor. */

#include "table_fixture.h"
#include <sys/resource.h>

#include "rt/samples/tags.h"

/* Adds samples of the stack to the table and to the list. */
static void add_stack(const struct ccprof_stack *stack, uint64_t weight)
{
    ccprof_samples_add(table, overflow_, stack, weight);
    stacks_add(&want, stack->address, stack->depth, weight);
}

/* The same for a sample that has only a program counter. */
static void add(uint64_t pc, uint64_t weight)
{
    add_stack(&(struct ccprof_stack){1, {pc}}, weight);
}

/* Checks that all added samples are there. */
static void all_there(void)
{
    all();
    ck_assert_uint_eq(table->samples, want.sum);
    ck_assert_uint_eq(table->lost, 0);
    stacks_compare(&got, &want);
}

/* Checks that at least this many samples are lost. */
static void balance(uint64_t least_lost)
{
    all();
    ck_assert_uint_eq(table->samples, want.sum);
    ck_assert_uint_ge(table->lost, least_lost);
    stacks_part_of(&got, &want);
}

/* Visits all points of the table that are in use; returns their number. */
static uint32_t each_point(void (*look)(const struct ccprof_point *point))
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < CCPROF_TABLE_BUCKETS * CCPROF_TABLE_WAYS; i++) {
        const struct ccprof_point *point =
            ccprof_samples_point(table, CCPROF_POINT_BASE + i);
        if (point->caller == CCPROF_POINT_NONE)
            continue;
        used++;
        if (look)
            look(point);
    }
    return used;
}

/* Random stacks: depth, number of different addresses, number of samples, and whether
   they overflow the table. From DEEP on they have one frame. */
#define DEEP 4
static const struct shape {
    uint32_t depth;
    uint64_t kinds;
    int samples;
    bool overflow;
} shapes[] = {
    {5, 3, 100000, false},
    {30, 1, 20000, false},
    {CCPROF_STACK_DEPTH, 5, 1500, true},
    {12, 1000000, 100000, true},
    /* Samples with one frame and more and more addresses: first all fit in the table,
       then nearly all are evicted. */
    {1, 5000, 400000, false},
    {1, 3000000, 400000, true},
};

/* Stacks with common outermost calls, and one that is the end of another: the tree has as
   few points as possible. */
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

TEST_ROWS(test_random_stacks, shapes)
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

/* A program with phases. Each phase has its own stacks, which must find room although the
   table is full of the deep stacks of the previous phase. */
TEST(test_phases)
{
    unsigned seed = 3;
    uint64_t first = 0;
    struct ccprof_stack stack;

    for (int i = 0; i < 1000; i++) {
        random_stack(&stack, &seed, CCPROF_STACK_DEPTH, 1000000);
        add_stack(&stack, 1);
        first += stack.depth + 2;
    }
    for (int i = 0; i < 100000; i++) {
        stack.depth = 20;
        for (uint32_t at = 0; at < stack.depth; at++)
            stack.address[at] = 5000000 + (at < 8 ? (unsigned)i % 50 : 0);
        add_stack(&stack, 1);
    }
    /* If no stack of the second phase were in the table, each sample would take two words
       plus 8 for the addresses in which it differs. */
    ck_assert_uint_lt(shard->filed + shard->used, first + 100000 * 10 / 8);
    all_there();
}

static uint32_t uses, callers;

static void add_uses(const struct ccprof_point *point)
{
    MUST(point->count != 0 || point->uses != 0);
    uses += point->uses;
    callers += point->caller != CCPROF_POINT_ROOT;
}

/* Unneeded points are released: only points above samples are in use. */
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

/* Additions that count for several samples: 2 * 1 + 5 * 4 + 3 * 2. */
TEST(test_weights)
{
    add(1, 1);
    ck_assert_uint_eq(table->heaviest, 0);
    ck_assert_uint_eq(table->excess, 0);
    add(1, 2);
    add(2, 5);
    add(1, 3);
    ck_assert_uint_eq(table->heaviest, 5);
    ck_assert_uint_eq(table->excess, 28);
    all_there();
}

TEST(test_frozen)
{
    add(1, 1);
    ccprof_samples_freeze(table);
    ccprof_overflow_freeze(overflow_);
    add(1, 2);
    add(2, 4);
    all();
    ck_assert_uint_eq(table->samples, 7);
    ck_assert_uint_eq(table->lost, 6);
    ck_assert_uint_eq(got.sum, 1);
}

/* A thread was stopped in the middle of an addition. The content of its bucket is not
   read, but the points below it are reached. */
TEST(test_cut_off_above)
{
    struct ccprof_stack stack = {3, {3, 2, 1}};
    uint32_t cut = 0;
    add_stack(&stack, 10);
    add(1, 5);
    for (uint32_t i = 0; i < CCPROF_TABLE_BUCKETS * CCPROF_TABLE_WAYS; i++)
        if (ccprof_samples_point(table, CCPROF_POINT_BASE + i)->address == 1)
            cut = i;
    ccprof_spin_try(&table->busy[cut / CCPROF_TABLE_WAYS]);
    stacks_freeze(table, overflow_);
    ck_assert_int_eq(ccprof_tree_each(table, stacks_visit, &got), 0);
    stacks_part_of(&got, &want);
    ck_assert_uint_eq(got.sum, 10);
    ck_assert_uint_eq(got.points, 3);
}

/* A thread was stopped while it held a bucket, and others while they held shards of the
   overflow log. New samples are still stored as long as one shard is free. */
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
    ccprof_samples_add(table, overflow_, &stack, 8);
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

/* The samples added to each of three data sets. The first has no name. */
static struct stacks datasets[3];

static uint64_t dataset_name(unsigned dataset)
{
    return dataset == 0 ? 0 : CCPROF_TAGS_DATASET | dataset;
}

static void add_in_dataset(unsigned dataset, struct ccprof_stack *stack, uint64_t weight)
{
    if (dataset != 0)
        stack->address[stack->depth++] = dataset_name(dataset);
    ccprof_samples_add(table, overflow_, stack, weight);
    stacks_add(&datasets[dataset], stack->address, stack->depth, weight);
}

static void take_dataset(unsigned dataset)
{
    ck_assert_uint_eq(stacks_take(table, overflow_, dataset), datasets[dataset].sum);
    stacks_free(&datasets[dataset]);
}

/* Data sets are taken out of the table, the overflow log and its files, and filled again.
   Other data sets stay. When all are taken out, one by one or together, nothing is
   left. */
TEST_TIMES(test_take, DEEP)
{
    unsigned seed = 1 + (unsigned)_i;
    struct ccprof_stack stack;

    for (unsigned round = 0; round < 5; round++) {
        for (int i = 0; i < shapes[_i].samples / 4; i++) {
            random_stack(&stack, &seed, shapes[_i].depth - 1, shapes[_i].kinds);
            add_in_dataset((unsigned)rand_r(&seed) % 3, &stack,
                           1 + (uint64_t)(rand_r(&seed) % 3));
        }
        take_dataset(round % 3);
    }
    ck_assert_int_eq(shard->file.count != 0, shapes[_i].overflow);
    for (unsigned dataset = 0; dataset < 3; dataset++) {
        if (_i % 2)
            stacks_move(&want, &datasets[dataset]);
        else
            take_dataset(dataset);
    }
    if (_i % 2) {
        all_there();
        stacks_thaw(table, overflow_);
        ck_assert_uint_eq(stacks_take(table, overflow_, CCPROF_DATASETS_ALL), want.sum);
    }
    ck_assert_uint_eq(shard->filed, 0);
    ck_assert_uint_eq(table->samples, 0);
    ck_assert_uint_eq(each_point(NULL), 0);
}

/* The limit applies only while samples are added, because Check itself writes files. */
static void limited(int what, rlim_t limit, void (*action)(void))
{
    struct rlimit before, now;
    ck_assert_int_eq(getrlimit(what, &before), 0);
    now = before;
    now.rlim_cur = limit;
    ck_assert_int_eq(setrlimit(what, &now), 0);
    action();
    ck_assert_int_eq(setrlimit(what, &before), 0);
}

static void add_many(void)
{
    for (uint64_t i = 0; i < 200000; i++)
        add(i, 1);
}

/* A limit on the size of files allows no file or only the first one; in the last case no
   descriptor is free. Samples without room are counted as lost, and no signal remains
   pending. */
TEST_TIMES(test_limit, 3)
{
    const uint64_t first = CCPROF_OVERFLOW_FILE_FIRST * 8;
    const rlim_t limits[] = {first / 2, first + first / 2, 0};
    const uint64_t filed = _i == 1 ? CCPROF_OVERFLOW_FILE_FIRST : 0;

    limited(_i < 2 ? RLIMIT_FSIZE : RLIMIT_NOFILE, limits[_i], add_many);
    ck_assert_uint_eq(shard->file.count, _i == 1);
    ck_assert_uint_le(shard->filed, filed);
    ck_assert_uint_gt(shard->filed + 4, filed);
    balance(80000);
}

/* The process has no additional descriptors, and no sample is lost in several files. Data
   that were never written cannot be read. */
TEST(test_descriptor)
{
    bool open[4096];
    uint64_t word;

    for (int i = 0; i < 4096; i++)
        open[i] = fcntl(i, F_GETFD) >= 0;
    add_many();
    ck_assert_uint_ge(shard->file.count, 3);
    for (int i = 0; i < 4096; i++)
        ck_assert_int_eq(fcntl(i, F_GETFD) >= 0, open[i]);
    ck_assert(ccprof_overflow_file_read(&shard->file, &word, 1, shard->file.size - 1));
    ck_assert(!ccprof_overflow_file_read(&shard->file, &word, 1, shard->file.size));
    ck_assert_int_eq(errno, EIO);
    all_there();
}

TEST_AROUND(table_setup, table_teardown)
