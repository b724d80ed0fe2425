/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/samples/times.c */
/* Buckets of time: the bucket of a sample, and the widening of buckets. */

#include "rt_tests.h"
#include "rt/samples/tags.h"
#include "rt/samples/times.h"

#define MILLISECOND 1000000u
#define START       5000000000u

static struct ccprof_stack stack;

/* Returns the address added to a sample after AFTER nanoseconds. */
static uint64_t put(uint64_t after)
{
    stack = (struct ccprof_stack){2, {0x11, 0x22}};
    ccprof_times_put(&stack, START + after);
    ck_assert(ccprof_times_is_bucket(stack.address[0]));
    return stack.address[0];
}

/* A stack of the maximum depth works, too. */
TEST(test_deep)
{
    ccprof_times_start(MILLISECOND, START);
    stack.depth = CCPROF_STACK_FRAMES + 1;
    for (uint32_t i = 0; i < stack.depth; i++)
        stack.address[i] = i;
    ccprof_times_put(&stack, START);
    ck_assert_uint_eq(stack.depth, CCPROF_STACK_FRAMES + 2);
    for (uint32_t i = 1; i < stack.depth; i++)
        ck_assert_uint_eq(stack.address[i], i - 1);
}

/* Checks that after SINCE nanoseconds buckets have this width and the sample is in bucket
   NUMBER. */
static void assert_bucket(uint64_t since, uint64_t width, uint64_t sample,
                          uint64_t number)
{
    struct ccprof_times_axis axis = ccprof_times_axis(START + since);
    ck_assert_uint_eq(axis.width, width * MILLISECOND);
    ck_assert_uint_eq(axis.span, since);
    ck_assert_uint_eq(ccprof_times_bucket(&axis, sample), number);
}

TEST(test_buckets)
{
    const uint64_t end = 20480000000, hour = 3600000000000;
    ccprof_times_start(10 * MILLISECOND, START);
    uint64_t first = put(0), same = put(9999999), next = put(10000000);
    uint64_t last = put(2047 * 10 * (uint64_t)MILLISECOND);
    ck_assert_uint_eq(first, same);
    assert_bucket(end - 1, 10, first, 0);
    assert_bucket(end - 1, 10, next, 1);
    assert_bucket(end - 1, 10, last, 2047);

    /* One sample more: the width doubles, and earlier samples are still there. */
    uint64_t more = put(end);
    assert_bucket(end, 20, first, 0);
    assert_bucket(end, 20, next, 0);
    assert_bucket(end, 20, last, 1023);
    assert_bucket(end, 20, more, 1024);
    ck_assert_uint_eq(put(end + 1), more);

    /* A long time without samples. */
    assert_bucket(hour, 2560, more, 8);
    assert_bucket(hour, 2560, put(hour), 1406);
    assert_bucket(hour, 2560, put(0), 0);
}

/* A clock that goes back before the start, the largest time, and a child of a fork. */
TEST(test_ends)
{
    ccprof_times_start(MILLISECOND, START);
    stack.depth = 1;
    ccprof_times_put(&stack, 1);
    uint64_t before = stack.address[0];
    put(UINT64_MAX - START);
    struct ccprof_times_axis axis = ccprof_times_axis(UINT64_MAX);
    ck_assert_uint_eq(ccprof_times_bucket(&axis, before), 0);
    ck_assert_uint_lt(axis.span / axis.width, CCPROF_TIMES_MOST);
    ck_assert_uint_ge(axis.span / axis.width, CCPROF_TIMES_MOST / 2);
    ccprof_times_restart(START + 5);
    axis = ccprof_times_axis(START + 15);
    ck_assert_uint_eq(axis.width, MILLISECOND);
    ck_assert_uint_eq(axis.span, 10);
}

static void *widen(void *at)
{
    struct ccprof_stack own = {1, {1}};
    for (uint64_t i = 0; i < 20000; i++) {
        own.depth = 1;
        ccprof_times_put(&own, START + (i * 2 + *(uint64_t *)at) * MILLISECOND);
        struct ccprof_times_axis axis = ccprof_times_axis(START);
        uint64_t bucket = ccprof_times_bucket(&axis, own.address[0]);
        if (bucket != (i * 2 + *(uint64_t *)at) * MILLISECOND / axis.width)
            return at;
    }
    return NULL;
}

/* Threads that widen the buckets at the same time agree. */
TEST(test_threads)
{
    uint64_t at[2] = {0, 1};
    ccprof_times_start(MILLISECOND, START);
    threads_run(2, widen, at, sizeof *at);
    ck_assert_uint_eq(ccprof_times_axis(START).width, 32 * MILLISECOND);
}
