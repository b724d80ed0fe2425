/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/table/table.c rt/table/tree.c rt/table/overflow.c rt/os/overflow-file.c */
/* links: rt/os/blocked.c testsuite/unit/stacks.c testsuite/unit/table_fixture.c */
/* Data sets in the table of samples and in its overflow log: taken out, and filled again.
 */

#include "rt_tests.h"
#include "rt/table/datasets.h"
#include "rt/table/scope.h"
#include "table_fixture.h"

/* What was added in each of three data sets, the first of them without a name.  */
static struct stacks datasets[3];

static uint64_t dataset_name(unsigned dataset)
{
    return dataset == 0 ? 0 : CCPROF_SCOPE_DATASET | dataset;
}

static void add_in_dataset(unsigned dataset, struct ccprof_stack *stack, uint64_t weight)
{
    if (dataset != 0)
        stack->address[stack->depth++] = dataset_name(dataset);
    ccprof_table_add(table, overflow_, stack, weight);
    stacks_add(&datasets[dataset], stack->address, stack->depth, weight);
}

static void take_dataset(unsigned dataset)
{
    ck_assert_uint_eq(stacks_take(table, overflow_, dataset), datasets[dataset].sum);
    stacks_free(&datasets[dataset]);
}

/* Data sets are taken out and filled again, out of the table, the overflow log and its
   files, and the others stay.  */
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
    for (unsigned dataset = 0; dataset < 3; dataset++)
        stacks_move(&want, &datasets[dataset]);
    all_there();
    ck_assert_int_eq(shard->file.count != 0, shapes[_i].overflow);
}

/* When all is taken out, one data set after the other or at once, nothing is left behind,
   in the table nor in the files.  */
TEST_TIMES(test_take_all, 2)
{
    unsigned seed = 1;
    struct ccprof_stack stack;

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20000; i++) {
            random_stack(&stack, &seed, 30, 3);
            add_in_dataset((unsigned)rand_r(&seed) % 3, &stack, 1);
        }
        ck_assert_uint_gt(shard->filed, 0);
        if (_i == 1)
            ck_assert_uint_eq(stacks_take(table, overflow_, CCPROF_DATASETS_ALL), 20000);
        for (unsigned dataset = 0; dataset < 3 && _i == 0; dataset++)
            take_dataset(dataset);
        ck_assert_uint_eq(shard->filed, 0);
        ck_assert_uint_eq(table->samples, 0);
        ck_assert_uint_eq(each_point(NULL), 0);
    }
    for (unsigned dataset = 0; dataset < 3; dataset++)
        stacks_free(&datasets[dataset]);
}

TEST_AROUND(table_setup, table_teardown)
