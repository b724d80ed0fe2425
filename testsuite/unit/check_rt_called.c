/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/count/called.c rt/os/lock.c rt/os/memory.c */
/* Indirect calls by target: what the code before and behind a call tells the runtime, by
   hand, with calls inside each other, calls that do not return, and flushes while calls
   are open. */

#include "rt_tests.h"
#include "rt/count/called.h"

static struct ccprof_stack_thread stack;
static struct ccprof_pair sites[3];

static struct {
    uint64_t site, target, sum;
} sums[100];

static void add(uint64_t site, uint64_t target, uint64_t count)
{
    int i = 0;
    if (!count)
        return;
    while (sums[i].site && (sums[i].site != site || sums[i].target != target))
        i++;
    sums[i].site = site;
    sums[i].target = target;
    sums[i].sum += count;
}

/* What was executed in calls of TARGET at a site, and their number. */
static void assert_sums(int site, uint64_t target, uint64_t amount, uint64_t calls)
{
    uint64_t found[2] = {0};
    for (int i = 0; sums[i].site; i++)
        for (int word = 0; word < 2; word++)
            if (sums[i].site == (uintptr_t)&sites[site] + 8 * (unsigned)word &&
                sums[i].target == target)
                found[word] = sums[i].sum;
    ck_assert_uint_eq(found[0], amount);
    ck_assert_uint_eq(found[1], calls);
}

static void setup(void)
{
    ccprof_called_begin(&stack);
}

static void teardown(void)
{
    ccprof_called_end(&stack);
}

static void call(int site, uint64_t sp, uint64_t target)
{
    ccprof_called_indirect(&stack, &sites[site], sp, target);
}

/* The targets are A and B; each call executes 10, then what it calls, then 1. */
enum { A = 100, B = 200 };

TEST(one_after_the_other)
{
    for (int i = 0; i < 5; i++) {
        call(0, 1000, i < 3 ? A : B);
        stack.total += 10;
        call(0, 1000, 0);
        stack.total += 7;
    }
    ccprof_called_flush(&stack, add);
    assert_sums(0, A, 30, 3);
    assert_sums(0, B, 20, 2);
}

/* A calls B and B calls A at the same site: each counts once. */
TEST(inside_each_other)
{
    for (int i = 0; i < 6; i++) {
        call(1, 1000 - 10 * (uint64_t)i, i % 2 ? B : A);
        stack.total += 10;
    }
    for (int i = 5; i >= 0; i--) {
        stack.total += 1;
        call(1, 1000 - 10 * (uint64_t)i, 0);
    }
    ccprof_called_flush(&stack, add);
    assert_sums(1, A, 66, 3);
    assert_sums(1, B, 55, 3);
}

/* A longjmp, which arrives where the stack pointer is 950. */
TEST(calls_that_are_left)
{
    call(0, 1000, A);
    stack.total += 10;
    call(1, 900, B);
    stack.total += 10;
    call(2, 800, A);
    stack.total += 10;
    ccprof_called_cut(&stack, 950);
    stack.total += 10;
    call(0, 1000, 0);
    stack.total += 10;
    ccprof_called_flush(&stack, add);
    assert_sums(0, A, 40, 1);
    assert_sums(1, B, 20, 1);
    assert_sums(2, A, 10, 1);
}

/* It arrives in code that does not tell: the next call of the target does. */
TEST(calls_that_were_left_without_notice)
{
    call(0, 900, A);
    stack.total += 10;
    call(0, 1000, A);
    stack.total += 10;
    call(0, 1000, 0);
    stack.total += 10;
    call(0, 900, 0);
    ccprof_called_flush(&stack, add);
    assert_sums(0, A, 20, 2);
}

/* Each flush adds what is new. Behind a call that was cut nothing happens. */
TEST(flushes_while_calls_are_open)
{
    call(0, 1000, A);
    for (int i = 0; i < 3; i++) {
        stack.total += 10;
        ccprof_called_flush(&stack, add);
        ccprof_called_flush(&stack, add);
        assert_sums(0, A, 10 * (uint64_t)(i + 1), 1);
    }
    ccprof_called_cut(&stack, 2000);
    stack.total += 10;
    call(0, 1000, 0);
    ccprof_called_flush(&stack, add);
    assert_sums(0, A, 30, 1);
}

TEST(zero_forgets)
{
    call(0, 1000, A);
    stack.total += 10;
    call(1, 900, B);
    stack.total += 10;
    call(1, 900, 0);
    stack.total = 0;
    ccprof_called_zero(&stack);
    stack.total += 5;
    call(0, 1000, 0);
    ccprof_called_flush(&stack, add);
    assert_sums(0, A, 5, 0);
    assert_sums(1, B, 0, 0);
}

/* More targets than there is room for: the others are counted as before. */
TEST(too_many_targets)
{
    for (uint64_t i = 1; i <= 20000; i++) {
        call(0, 1000, i);
        stack.total++;
        call(0, 1000, 0);
    }
    ccprof_called_zero(&stack);
    call(0, 1000, 1);
    stack.total += 10;
    call(0, 1000, 0);
    ccprof_called_flush(&stack, add);
    assert_sums(0, 1, 10, 1);
    assert_sums(0, 20000, 0, 0);
}

TEST_AROUND(setup, teardown)
