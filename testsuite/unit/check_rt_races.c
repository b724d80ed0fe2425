/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/samples/samples.c rt/samples/overflow.c rt/samples/overflow-file.c
   rt/os/file.c rt/os/lock.c rt/os/memory.c rt/unwind/cpu-x86_64.c rt/unwind/stack.c
   rt/unwind/outer.c rt/unwind/fold.c rt/unwind/guess.c rt/unwind/guess-x86_64.c
   rt/unwind/unwind.c rt/unwind/unwind-rules.c rt/unwind/unwind-tables.c
   testsuite/unit/stacks.c */
/* Handlers in several threads at the same time: the set of working stacks, the table and
   the overflow log. Written for ThreadSanitizer, but the numbers must also be right
   without it. */

#include "table_fixture.h"
#include "rt/os/sys.h"

#define THREADS 6

static struct ccprof_stacks pool;
static _Atomic uint64_t added, wrong;
static _Atomic bool enough;
static pthread_t threads[THREADS];
static struct stacks own[THREADS]; /* the samples that each thread has added */

/* When all threads have ended: samples = table + log + lost, and each stack was added at
   least as often as it was read. */
static void check_all(void)
{
    for (int i = 0; i < THREADS; i++)
        stacks_move(&want, &own[i]);
    ck_assert_uint_eq(table->samples, added);
    ck_assert_uint_eq(wrong, 0);
    stacks_part_of(&got, &want);
}

/* Makes a stack that all threads have, one that no other thread has, or one of many. Some
   have the maximum depth. */
static void make(struct ccprof_stack *stack, unsigned thread, unsigned *seed, int number)
{
    unsigned kind = (unsigned)rand_r(seed) % 4;

    random_stack(stack, seed, number % 100 == 0 ? CCPROF_STACK_DEPTH - 1 : 30,
                 kind < 2 ? 9 : 1000000);
    if (kind == 1)
        stack->address[stack->depth++] = 2000000 + thread;
}

/* The number of rounds. `enough' ends them earlier. */
static int rounds = 4000;

static void *adds(void *number)
{
    unsigned thread = (unsigned)(uintptr_t)number, seed = thread + 1;
    struct ccprof_stack stack;

    for (int i = 0; i < rounds && !enough; i++) {
        uint64_t weight = 1 + (uint64_t)i % 3;
        make(&stack, thread, &seed, i);
        stacks_add(&own[thread], stack.address, stack.depth, weight);
        ccprof_samples_add(table, overflow_, &stack, weight);
        added += weight;
        if (i % 100 == 0) {
            ccprof_samples_lose(table, 2);
            added += 2;
        }
    }
    return NULL;
}

/* More stacks than the table has room for. They go to the overflow log, and the overflow
   log writes to its file. */
TEST(test_add)
{
    threads_run(THREADS, adds, NULL, 0);
    all();
    check_all();
    ck_assert_uint_ne(shard->file.count, 0);
    ck_assert_uint_ge(table->lost, (uint64_t)(THREADS * rounds / 100 * 2));
}

/* The table is frozen and read while samples arrive. The read data are complete and do
   not change. Later samples are lost and counted. */
TEST(test_freeze)
{
    struct stacks again = {0};

    rounds = INT_MAX;
    threads_begin(threads, THREADS, adds, NULL, 0);
    while (added < 20000)
        ccprof_sys_yield();
    stacks_freeze(table, overflow_);
    stacks_read(&got, table, overflow_);
    ccprof_sys_sleep(10000000);
    enough = true;
    threads_end(threads, THREADS);
    stacks_read(&again, table, overflow_);
    /* A bucket, or the overflow log, that was busy during the whole freeze is not
       read. */
    ck_assert_uint_gt(got.sum, 0);
    ck_assert_uint_le(got.sum + table->lost, added);
    stacks_compare(&again, &got);
    check_all();
    stacks_free(&again);
}

/* More threads than stacks: each thread has its own stack or none. */
static void *takes(void *number)
{
    uint64_t mine = (uint64_t)(uintptr_t)number + 1;

    for (int i = 0; i < 300; i++) {
        struct ccprof_stack_work *work = ccprof_stack_take(&pool);
        if (!work)
            continue;
        added++;
        for (int k = 0; k < 20; k++)
            work->stack.address[k] = mine;
        if (i % 10 == 0)
            ccprof_sys_yield();
        for (int k = 0; k < 20; k++)
            if (work->stack.address[k] != mine)
                wrong++;
        ccprof_stack_give_back(&pool, work);
    }
    return NULL;
}

TEST(test_pool)
{
    threads_run(2 * CCPROF_STACKS, takes, NULL, 0);
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_gt(added, 0);
    for (int i = 0; i < CCPROF_STACKS; i++)
        ck_assert_ptr_eq(ccprof_stack_take(&pool), &pool.work[i]);
    ck_assert_ptr_null(ccprof_stack_take(&pool));
}

TEST_AROUND(table_setup, table_teardown)
