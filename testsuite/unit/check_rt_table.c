/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/table/table.c rt/table/tree.c rt/table/overflow.c rt/os/overflow-file.c */
/* links: rt/os/blocked.c */
/* links: testsuite/unit/stacks.c */
/* The table of samples and its overflow log against a plain list of all that was added.
 */

#define _GNU_SOURCE
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rt/table/scope.h"
#include "rt/table/table.h"
#include "rt/table/tree.h"
#include "runner.h"
#include "stacks.h"

static struct ccprof_table *table;
static struct ccprof_overflow *overflow_;
static struct ccprof_overflow_shard *shard; /* the first one of it */
static struct stacks want, got;

static void setup(void)
{
    table = calloc(1, sizeof *table);
    overflow_ = calloc(1, sizeof *overflow_);
    ck_assert_ptr_nonnull(table);
    ck_assert_ptr_nonnull(overflow_);
    shard = &overflow_->shard[0];
    ccprof_overflow_file_place(".");
}

static void teardown(void)
{
    ccprof_overflow_close(overflow_);
    free(overflow_);
    free(table);
    stacks_free(&want);
    stacks_free(&got);
}

static void add_stack(const struct ccprof_stack *stack, uint64_t weight)
{
    ccprof_table_add(table, overflow_, stack, weight);
    stacks_add(&want, stack->address, stack->depth, weight);
}

/* A bare sample of a program counter.  */
static void add(uint64_t pc, uint64_t weight)
{
    struct ccprof_stack stack;
    stack.depth = 1;
    stack.address[0] = pc;
    add_stack(&stack, weight);
}

/* Reads everything in table and log.  */
static void all(void)
{
    stacks_freeze(table, overflow_);
    stacks_read(&got, table, overflow_);
    ck_assert_uint_eq(got.sum + table->lost, table->samples);
}

/* All that was added is there.  */
static void all_there(void)
{
    all();
    ck_assert_uint_eq(table->samples, want.sum);
    ck_assert_uint_eq(table->lost, 0);
    stacks_compare(&got, &want);
}

START_TEST(test_one)
{
    for (int i = 0; i < 10; i++)
        add(7, 1);
    add(7, 5);
    all_there();
    ck_assert_uint_eq(got.points, 1);
    ck_assert_uint_eq(got.sum, 15);
    ck_assert(!shard->file.open);
}
END_TEST

START_TEST(test_address_0)
{
    add(0, 3);
    add(0, 1);
    all_there();
    ck_assert_uint_eq(got.points, 1);
}
END_TEST

/* Stacks that have their outermost calls in common, and one that ends in the
   middle of another: the tree is as small as can be.  */
START_TEST(test_tree)
{
    const struct ccprof_stack stacks[] = {{4, {1, 2, 3, 4}}, {4, {5, 2, 3, 4}},
                                          {2, {3, 4}},       {1, {4}},
                                          {4, {1, 2, 3, 9}}, {3, {1, 1, 1}}};
    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++)
        add_stack(&stacks[i], 1 + i);
    all_there();
    ck_assert_uint_eq(got.points, 5 + 4 + 3);
}
END_TEST

/* Random addresses, low ones much more frequent.  */
static uint64_t pick(unsigned *seed, uint64_t size)
{
    double r = rand_r(seed) / (RAND_MAX + 1.0);
    return (uint64_t)(r * r * r * (double)size);
}

/* Random samples, among ever more addresses: from all in the table to nearly all
   evicted.  */
START_TEST(test_random)
{
    const uint64_t sizes[] = {100, 5000, 100000, 300000, 3000000};
    unsigned seed = 1 + (unsigned)_i;

    for (int i = 0; i < 400000; i++)
        add(pick(&seed, sizes[_i]), 1 + (uint64_t)(rand_r(&seed) % 3));
    all_there();
    if (_i < 2)
        ck_assert(!shard->file.open);
    if (_i > 2)
        ck_assert_uint_gt(shard->filed, 10 * CCPROF_OVERFLOW_WORDS);
}
END_TEST

/* Random stacks: depth, kinds of addresses, samples; the last ones overflow all
   there is.  */
static const struct {
    uint32_t depth;
    uint64_t kinds;
    int samples;
    bool overflow;
} shapes[] = {
    {5, 3, 100000, false},       {30, 2, 20000, true},
    {30, 1, 20000, false},       {CCPROF_STACK_DEPTH, 1, 2000, false},
    {200, 20, 6000, true},       {CCPROF_STACK_DEPTH, 5, 1500, true},
    {12, 1000000, 100000, true},
};

static void random_stack(struct ccprof_stack *stack, unsigned *seed, uint32_t most,
                         uint64_t kinds)
{
    stack->depth = 1 + (uint32_t)rand_r(seed) % most;
    for (uint32_t i = 0; i < stack->depth; i++)
        stack->address[i] = pick(seed, kinds);
}

START_TEST(test_random_stacks)
{
    unsigned seed = 1 + (unsigned)_i;
    struct ccprof_stack stack;

    for (int i = 0; i < shapes[_i].samples; i++) {
        random_stack(&stack, &seed, shapes[_i].depth, shapes[_i].kinds);
        add_stack(&stack, 1 + (uint64_t)(rand_r(&seed) % 3));
    }
    all_there();
    ck_assert_int_eq(shard->file.open, shapes[_i].overflow);
}
END_TEST

/* What was added in each of three data sets, the first of them without a name.  */
static struct stacks datasets[3];

static uint64_t unit_name(unsigned dataset)
{
    return dataset == 0 ? 0 : CCPROF_SCOPE_DATASET | dataset;
}

static void add_in_unit(unsigned dataset, struct ccprof_stack *stack, uint64_t weight)
{
    if (dataset != 0)
        stack->address[stack->depth++] = unit_name(dataset);
    ccprof_table_add(table, overflow_, stack, weight);
    stacks_add(&datasets[dataset], stack->address, stack->depth, weight);
}

static void take_unit(unsigned dataset)
{
    ck_assert_uint_eq(stacks_take(table, overflow_, dataset), datasets[dataset].sum);
    stacks_free(&datasets[dataset]);
}

/* What was not taken out is what is wanted.  */
static void want_unit(unsigned dataset)
{
    uint64_t address[CCPROF_STACK_DEPTH];
    const struct stacks *from = &datasets[dataset];
    for (size_t i = 0; i < from->items; i++) {
        const struct stacks_item *item = &from->item[i];
        for (uint32_t at = 0; at < item->depth; at++)
            address[at] = from->address[item->at + item->depth - 1 - at];
        stacks_add(&want, address, item->depth, item->count);
    }
    stacks_free(&datasets[dataset]);
}

/* Data sets are taken out and filled again, out of the table, the overflow log and its
   files, and the others stay.  */
START_TEST(test_take)
{
    unsigned seed = 1 + (unsigned)_i;
    struct ccprof_stack stack;

    for (unsigned round = 0; round < 5; round++) {
        for (int i = 0; i < shapes[_i].samples / 4; i++) {
            random_stack(&stack, &seed, shapes[_i].depth - 1, shapes[_i].kinds);
            add_in_unit((unsigned)rand_r(&seed) % 3, &stack,
                        1 + (uint64_t)(rand_r(&seed) % 3));
        }
        take_unit(round % 3);
    }
    for (unsigned dataset = 0; dataset < 3; dataset++)
        want_unit(dataset);
    all_there();
    ck_assert_int_eq(shard->file.open, shapes[_i].overflow);
}
END_TEST

/* When all is taken out nothing is left behind, in the table nor in the files.  */
START_TEST(test_take_all)
{
    unsigned seed = 1;
    struct ccprof_stack stack;

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20000; i++) {
            random_stack(&stack, &seed, 30, 3);
            add_in_unit((unsigned)rand_r(&seed) % 3, &stack, 1);
        }
        ck_assert_uint_gt(shard->filed, 0);
        for (unsigned dataset = 0; dataset < 3; dataset++)
            take_unit(dataset);
        ck_assert_uint_eq(shard->filed, 0);
        ck_assert_uint_eq(table->samples, 0);
        uint32_t left = 0;
        for (uint32_t i = 0; i < CCPROF_TABLE_BUCKETS * CCPROF_TABLE_WAYS; i++)
            left += ccprof_table_point(table, CCPROF_POINT_BASE + i)->caller !=
                    CCPROF_POINT_NONE;
        ck_assert_uint_eq(left, 0);
    }
    all_there();
}
END_TEST

/* A program with phases: each has stacks of its own, which must find room although
   the table is full of those of the phase before, be they ever so deep.  */
START_TEST(test_phases)
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
END_TEST

/* What is kept for nothing is given back: of a table's points, only those above
   samples are in use.  */
START_TEST(test_uses)
{
    unsigned seed = 1;
    struct ccprof_stack stack;
    uint32_t uses = 0, callers = 0;

    for (int i = 0; i < 5000; i++) {
        random_stack(&stack, &seed, 200, 20);
        add_stack(&stack, 1);
    }
    for (uint32_t i = 0; i < CCPROF_TABLE_BUCKETS * CCPROF_TABLE_WAYS; i++) {
        struct ccprof_point *point = ccprof_table_point(table, CCPROF_POINT_BASE + i);
        if (point->caller == CCPROF_POINT_NONE)
            continue;
        STACKS_ASSERT(point->count != 0 || point->uses != 0);
        uses += point->uses;
        callers += point->caller != CCPROF_POINT_ROOT;
    }
    ck_assert_uint_eq(uses, callers);
    all_there();
}
END_TEST

/* What is sampled often stays in the table, whatever else comes.  */
START_TEST(test_frequent_stays)
{
    for (uint64_t i = 0; i < 400000; i++) {
        add(1, 1);
        add(2 + i, 1);
    }
    uint64_t in_table = 0;
    for (uint32_t i = 0; i < CCPROF_TABLE_BUCKETS * CCPROF_TABLE_WAYS; i++) {
        struct ccprof_point *point = ccprof_table_point(table, CCPROF_POINT_BASE + i);
        if (point->caller != CCPROF_POINT_NONE && point->address == 1)
            in_table += point->count;
    }
    ck_assert_uint_eq(in_table, 400000);
}
END_TEST

/* Only for as long as samples are added: Check itself writes files.  */
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

static void balance(uint64_t least_lost)
{
    all();
    ck_assert_uint_eq(table->samples, want.sum);
    ck_assert_uint_ge(table->lost, least_lost);
    stacks_part_of(&got, &want);
}

/* The overflow log's file cannot grow beyond a limit: what does not fit is counted, and
   no signal is left behind.  */
START_TEST(test_limit)
{
    /* A whole number of stacks, three words each, and not.  */
    limited(RLIMIT_FSIZE, 240000 + (rlim_t)_i, add_many);
    ck_assert_uint_le(shard->filed, 240000 / 8);
    ck_assert_uint_gt(shard->filed, 240000 / 8 - 4);
    balance(50000);
}
END_TEST

/* No descriptor is to be had.  */
START_TEST(test_no_file)
{
    limited(RLIMIT_NOFILE, 0, add_many);
    ck_assert(!shard->file.open);
    balance(80000);
}
END_TEST

/* The program closes all its descriptors, and opens files of its own.  */
START_TEST(test_file_taken)
{
    char name[] = "taken-XXXXXX", byte;
    for (uint64_t i = 0; i < 150000; i++)
        add(i, 1);
    uint64_t filed = shard->filed_sum;
    ck_assert_uint_gt(filed, 0);
    int other = mkstemp(name);
    ck_assert_int_eq(dup2(other, shard->file.fd), shard->file.fd);
    for (uint64_t i = 150000; i < 200000; i++)
        add(i, 1);
    ck_assert_int_eq(pread(other, &byte, 1, 0), 0);
    unlink(name);
    balance(filed);
    ck_assert_uint_eq(table->lost, filed);
}
END_TEST

/* ... and no sample comes after it.  */
START_TEST(test_file_taken_late)
{
    add_many();
    close(shard->file.fd);
    ccprof_table_freeze(table);
    ccprof_overflow_freeze(overflow_);
    ck_assert_int_eq(ccprof_overflow_each(overflow_, stacks_visit, &got), -1);
    ck_assert_int_eq(errno, EBADF);
    ck_assert_uint_eq(got.points, shard->used / 3);
}
END_TEST

/* Somebody cuts the file off.  */
START_TEST(test_file_cut)
{
    add_many();
    ck_assert_int_eq(ftruncate(shard->file.fd, 8000), 0);
    ccprof_table_freeze(table);
    ccprof_overflow_freeze(overflow_);
    ck_assert_int_eq(ccprof_overflow_each(overflow_, stacks_visit, &got), -1);
    ck_assert_int_eq(errno, EIO);
    stacks_part_of(&got, &want);
}
END_TEST

/* The file stays out of the program's way and is not passed on.  */
START_TEST(test_descriptor)
{
    int first = dup(0);
    close(first);
    add_many();
    ck_assert(shard->file.open);
    ck_assert_int_ge(shard->file.fd, 500);
    ck_assert_int_eq(fcntl(shard->file.fd, F_GETFD), FD_CLOEXEC);
    int second = dup(0);
    ck_assert_int_eq(second, first);
    close(second);
}
END_TEST

START_TEST(test_frozen)
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
END_TEST

/* Cut off in the middle of an add: the bucket's content is not touched.  */
START_TEST(test_cut_off)
{
    add(1, 10);
    for (int i = 0; i < CCPROF_TABLE_BUCKETS; i++)
        ccprof_spin_try(&table->busy[i]);
    stacks_freeze(table, overflow_);
    ck_assert_int_eq(ccprof_tree_each(table, stacks_visit, &got), 0);
    ck_assert_uint_eq(got.points, 0);
}
END_TEST

/* ... but points below those that are cut off are reached.  */
START_TEST(test_cut_off_above)
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
END_TEST

/* A thread has been stopped while it holds the bucket, and others parts of the overflow
   log: what comes meanwhile finds its way as long as there is a shard.  */
START_TEST(test_held)
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
END_TEST

/* One thread of several: its own samples and nobody else's.  */
struct thread {
    pthread_t id;
    unsigned seed;
    struct stacks added;
};

static void *add_thread(void *context)
{
    struct thread *thread = context;
    struct ccprof_stack stack;
    for (int i = 0; i < 8000; i++) {
        random_stack(&stack, &thread->seed, i % 100 == 0 ? CCPROF_STACK_DEPTH : 20, 9);
        ccprof_table_add(table, overflow_, &stack, 1);
        stacks_add(&thread->added, stack.address, stack.depth, 1);
    }
    return NULL;
}

START_TEST(test_threads)
{
    static struct thread thread[4];
    for (unsigned i = 0; i < 4; i++) {
        thread[i].seed = i;
        ck_assert_int_eq(pthread_create(&thread[i].id, NULL, add_thread, &thread[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        struct stacks *added = &thread[i].added;
        pthread_join(thread[i].id, NULL);
        for (size_t k = 0; k < added->items; k++) {
            added->depth = 0;
            for (uint32_t at = 0; at < added->item[k].depth; at++)
                stacks_visit(&want, at, added->address[added->item[k].at + at],
                             at + 1 == added->item[k].depth);
        }
        stacks_free(added);
    }
    balance(0);
    ck_assert_uint_eq(table->samples, 4 * 8000);
}
END_TEST

/* Threads add while the table is frozen and read.  */
START_TEST(test_frozen_threads)
{
    static struct thread thread[2];
    for (unsigned i = 0; i < 2; i++) {
        thread[i].seed = i;
        ck_assert_int_eq(pthread_create(&thread[i].id, NULL, add_thread, &thread[i]), 0);
    }
    usleep(20000);
    stacks_freeze(table, overflow_);
    struct stacks again = {0};
    for (int i = 0; i < 2; i++) {
        struct stacks *to = i ? &again : &got;
        stacks_read(to, table, overflow_);
    }
    stacks_compare(&again, &got);
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i].id, NULL);
        stacks_free(&thread[i].added);
    }
    stacks_free(&again);
    ck_assert_uint_gt(got.sum, 0);
    ck_assert_uint_le(got.sum + table->lost, table->samples);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rt table");
    TCase *tests = tcase_create("table");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_one);
    tcase_add_test(tests, test_address_0);
    tcase_add_test(tests, test_tree);
    tcase_add_loop_test(tests, test_random, 0, 5);
    tcase_add_loop_test(tests, test_random_stacks, 0, sizeof shapes / sizeof *shapes);
    tcase_add_loop_test(tests, test_take, 0, sizeof shapes / sizeof *shapes);
    tcase_add_test(tests, test_take_all);
    tcase_add_test(tests, test_phases);
    tcase_add_test(tests, test_uses);
    tcase_add_test(tests, test_frequent_stays);
    tcase_add_loop_test(tests, test_limit, 0, 2);
    tcase_add_test(tests, test_no_file);
    tcase_add_test(tests, test_file_taken);
    tcase_add_test(tests, test_file_taken_late);
    tcase_add_test(tests, test_file_cut);
    tcase_add_test(tests, test_descriptor);
    tcase_add_test(tests, test_frozen);
    tcase_add_test(tests, test_cut_off);
    tcase_add_test(tests, test_cut_off_above);
    tcase_add_test(tests, test_held);
    tcase_add_test(tests, test_threads);
    tcase_add_test(tests, test_frozen_threads);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
