/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/table/table.c rt/table/tree.c rt/table/overflow.c rt/os/overflow-file.c */
/* links: rt/os/blocked.c */
/* links: rt/unwind/stack.c rt/unwind/fold.c rt/unwind/outer.c rt/unwind/outer-memory.c */
/* links: rt/os/pages.c */
/* links: rt/unwind/unwind.c rt/unwind/unwind-rules.c */
/* links: rt/unwind/unwind-tables.c rt/unwind/unwind-expression.c */
/* links: rt/unwind/unwind-short.c rt/os/safe-read.c rt/unwind/cpu-x86_64.c */
/* links: testsuite/unit/stacks.c */
/* What handlers in several threads do to each other: the set of stacks to work with, the
   table and the overflow log.  Made for ThreadSanitizer; the numbers must be right
   anyway.  */

#include "rt_tests.h"
#include "rt/os/sys.h"
#include "rt/table/table.h"
#include "rt/table/tree.h"
#include "stacks.h"

#define THREADS 6

static struct ccprof_table *table;
static struct ccprof_overflow *overflow_;
static struct ccprof_stacks *pool;
static struct stacks got;
static _Atomic uint64_t added, wrong;
static _Atomic int running;
static _Atomic bool enough;

static void setup(void)
{
    table = calloc(1, sizeof *table);
    overflow_ = calloc(1, sizeof *overflow_);
    pool = calloc(1, sizeof *pool);
    ck_assert_ptr_nonnull(table);
    ck_assert_ptr_nonnull(overflow_);
    ck_assert_ptr_nonnull(pool);
    ccprof_overflow_file_place(".");
}

static void teardown(void)
{
    ccprof_overflow_close(overflow_);
    free(overflow_);
    free(table);
    free(pool);
    stacks_free(&got);
}

static void start(pthread_t *threads, int count, void *(*body)(void *))
{
    atomic_store(&running, count);
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i), 0);
}

static void join(const pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* Samples = table + log + lost, when all threads are done.  */
static void balance(void)
{
    stacks_freeze(table, overflow_);
    stacks_read(&got, table, overflow_);
    ck_assert_uint_eq(table->samples, added);
    ck_assert_uint_eq(got.sum + table->lost, added);
    ck_assert_uint_eq(wrong, 0);
}

/* A stack that no other thread has, or one that all have, or one of many: its outermost
   address says how deep it is, the others what they must be.  */
static void make(struct ccprof_stack *stack, unsigned thread, unsigned *seed)
{
    unsigned kind = (unsigned)rand_r(seed) % 4;
    uint64_t base = kind == 0 ? 5 : kind == 1 ? thread + 10 : (uint64_t)rand_r(seed);

    stack->depth = 2 + (uint32_t)rand_r(seed) % 30;
    for (uint32_t i = 0; i < stack->depth; i++)
        stack->address[i] = base + (uint64_t)(stack->depth - 1 - i) * stack->depth;
    stack->address[stack->depth - 1] = base << 8 | stack->depth;
}

/* Whether what was read is as it was made.  */
static void check_made(void)
{
    for (size_t i = 0; i < got.items; i++) {
        const uint64_t *address = got.address + got.item[i].at;
        uint32_t depth = got.item[i].depth;

        ck_assert_uint_eq(address[0] & 0xff, depth);
        for (uint32_t k = 1; k < depth; k++)
            ck_assert_uint_eq(address[k], (address[0] >> 8) + (uint64_t)k * depth);
    }
}

/* ROUNDS times, or until it is enough.  */
static int rounds = 4000;

static void *adds(void *number)
{
    unsigned thread = (unsigned)(intptr_t)number, seed = thread + 1;
    struct ccprof_stack stack;

    for (int i = 0; i < rounds && !atomic_load(&enough); i++) {
        uint64_t weight = 1 + (uint64_t)i % 3;
        make(&stack, thread, &seed);
        ccprof_table_add(table, overflow_, &stack, weight);
        atomic_fetch_add(&added, weight);
        if (i % 100 == 0) {
            ccprof_table_lose(table, 2);
            atomic_fetch_add(&added, 2);
        }
    }
    return NULL;
}

/* More stacks than the table has room for: they go to the overflow log, and the overflow
   log to its file.  */
TEST(test_add)
{
    pthread_t threads[THREADS];

    start(threads, THREADS, adds);
    join(threads, THREADS);
    balance();
    check_made();
    ck_assert_uint_ne(overflow_->shard[0].file.count, 0);
    ck_assert_uint_ge(table->lost, (uint64_t)(THREADS * rounds / 100 * 2));
}

/* The table is frozen and read in the middle of it.  What was read is whole and does not
   change; what came later is lost and counted.  */
TEST(test_freeze)
{
    pthread_t threads[THREADS];
    struct stacks again = {0};

    rounds = INT_MAX;
    start(threads, THREADS, adds);
    while (atomic_load(&added) < 20000)
        ccprof_sys_yield();
    stacks_freeze(table, overflow_);
    stacks_read(&got, table, overflow_);
    check_made();
    ccprof_sys_sleep(10000000);
    atomic_store(&enough, true);
    join(threads, THREADS);
    stacks_read(&again, table, overflow_);
    ck_assert_uint_eq(table->samples, added);
    /* A bucket, or the overflow log, that was busy for all the time of the freeze is not
       read.  */
    ck_assert_uint_le(got.sum + table->lost, added);
    stacks_compare(&again, &got);
    stacks_free(&again);
}

/* More threads than there are stacks: each has one for itself, or none.  */
static void *takes(void *number)
{
    uint64_t mine = (uint64_t)(intptr_t)number + 1;

    for (int i = 0; i < 300; i++) {
        struct ccprof_stack_work *work = ccprof_stack_take(pool);
        if (!work)
            continue;
        atomic_fetch_add(&added, 1);
        for (int k = 0; k < 20; k++)
            work->stack.address[k] = mine;
        if (i % 10 == 0)
            ccprof_sys_yield();
        for (int k = 0; k < 20; k++)
            if (work->stack.address[k] != mine)
                atomic_fetch_add(&wrong, 1);
        ccprof_stack_give_back(pool, work);
    }
    return NULL;
}

TEST(test_pool)
{
    pthread_t threads[2 * CCPROF_STACKS];

    start(threads, 2 * CCPROF_STACKS, takes);
    join(threads, 2 * CCPROF_STACKS);
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_gt(added, 0);
    for (int i = 0; i < CCPROF_STACKS; i++)
        ck_assert_ptr_eq(ccprof_stack_take(pool), &pool->work[i]);
}

/* As the runtime's handler.  */
static void handle(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    struct ccprof_stack_work *work = ccprof_stack_take(pool);

    (void)number;
    (void)info;
    atomic_fetch_add(&added, 1);
    if (work) {
        ccprof_stack_capture(work, context);
        ccprof_table_add(table, overflow_, &work->stack, 1);
        ccprof_stack_give_back(pool, work);
    } else {
        ccprof_table_lose(table, 1);
    }
    errno = saved;
}

static void take_signals(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&action.sa_mask);
    ck_assert_int_eq(sigaction(SIGPROF, &action, NULL), 0);
}

static __attribute__((noinline)) int below(int depth, int of)
{
    int frames = 0;
    if (depth > 0)
        frames = depth % 2 ? below(depth - 1, of) : below(depth - 1, of) + 1;
    else if (of % 3 == 0)
        raise(SIGPROF);
    else
        usleep(1);
    __asm__ volatile("" : "+r"(frames));
    return frames + 1;
}

static void *descends(void *number)
{
    for (int i = 0; i < 200; i++)
        below(i % 40 + (int)(intptr_t)number, i);
    atomic_fetch_sub(&running, 1);
    return NULL;
}

/* Signals that the threads send themselves and others send them, whole stacks.  */
TEST(test_signals)
{
    pthread_t threads[THREADS];

    take_signals();
    start(threads, THREADS, descends);
    while (atomic_load(&running) > 0)
        for (int i = 0; i < THREADS; i++)
            pthread_kill(threads[i], SIGPROF);
    join(threads, THREADS);
    ck_assert_uint_gt(added, THREADS * 200 / 3);
    balance();
    ck_assert_uint_gt(got.sum, added / 2);
}

TEST_MAIN(setup, teardown)
