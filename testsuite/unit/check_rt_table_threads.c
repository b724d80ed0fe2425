/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/table/table.c rt/table/tree.c rt/table/overflow.c rt/os/overflow-file.c */
/* links: rt/os/blocked.c testsuite/unit/stacks.c testsuite/unit/table_fixture.c */
/* The table of samples where several threads add, also while it is frozen and read.  */

#include "rt_tests.h"
#include "table_fixture.h"

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

TEST(test_threads)
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

/* Threads add while the table is frozen and read.  */
TEST(test_frozen_threads)
{
    static struct thread thread[2];
    for (unsigned i = 0; i < 2; i++) {
        thread[i].seed = i;
        ck_assert_int_eq(pthread_create(&thread[i].id, NULL, add_thread, &thread[i]), 0);
    }
    /* However long the threads wait for a processor.  */
    while (atomic_load(&table->samples) < 100)
        usleep(100);
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

TEST_MAIN(table_setup, table_teardown)
