/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* What the holders of locks waited for, worked out by hand. Times are in nanoseconds. */

#include "tests.h"

#include "mlprof/base/buf.h"
#include "mlprof/profile/profile.h"
#include "mlprof/waiting/chains.h"

#include <stdlib.h>

static struct waitdata waits;
static struct chains chains;
static struct chains_groups groups[20];

static void setup(void)
{
    waits = (struct waitdata){.measured = true};
    chains = (struct chains){0};
}

static void teardown(void)
{
    free(chains.links.list);
    waitdata_free(&waits);
}

/* THREAD waits for OBJECT, or sleeps, from START to END, and holds the lock HELD. Each
   wait is a group of its own. */
static void add_wait(uint32_t thread, uint64_t start, uint64_t end, uint32_t object,
                     uint32_t held)
{
    uint32_t number;
    const struct waitdata_wait wait = {
        .stack = waitdata_put_node(
            &waits, &(struct waitdata_node){PROFILE_NO_NODE, PROFILE_THREAD, thread}),
        .object = object,
        .held = held,
        .cause = WAITDATA_NONE,
        .reason = object == WAITDATA_NONE ? CCPROF_WAIT_SLEEP : CCPROF_WAIT_MUTEX,
        .taken_module = PROFILE_NO_MODULE,
        .taken = waits.waits.count,
        .count = 1,
        .time = end - start,
        .longest = end - start};
    ck_assert(waitdata_add_wait(&waits, &wait, &number));
    groups[number] = (struct chains_groups){object, number};
    BUF_PUSH(waits.longest) =
        (struct waitdata_single){number, start, end - start, end - start};
}

/* Compares the links with EXPECTED: lock, depth, wait, time. */
static void assert_links(const uint64_t (*expected)[4], size_t count)
{
    chains_find(&chains, &waits, groups);
    ck_assert_uint_eq(chains.links.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct chains_link *link = &chains.links.list[i];
        ck_assert_uint_eq(link->lock, expected[i][0]);
        ck_assert_uint_eq(link->depth, expected[i][1]);
        ck_assert_uint_eq(link->wait, expected[i][2]);
        ck_assert_uint_eq(link->time, expected[i][3]);
    }
}

enum { A, B, C, NONE = WAITDATA_NONE };

TEST(a_chain_of_two_locks_and_a_sleep)
{
    add_wait(0, 10, 100, A, NONE);
    add_wait(1, 5, 90, B, A);
    add_wait(2, 20, 80, NONE, B);
    assert_links((const uint64_t[][4]){{A, 0, 1, 80}, {A, 1, 2, 60}, {B, 0, 2, 60}}, 3);
}

/* The second one is longer. What a holder did after the wait, or before, is no part. */
TEST(holders_one_after_another)
{
    add_wait(0, 10, 100, A, NONE);
    add_wait(1, 5, 30, NONE, A);
    add_wait(2, 40, 90, NONE, A);
    add_wait(1, 32, 38, NONE, NONE);
    add_wait(1, 100, 200, NONE, A);
    add_wait(2, 0, 9, NONE, A);
    assert_links((const uint64_t[][4]){{A, 0, 2, 50}, {A, 0, 1, 20}}, 2);
}

TEST(each_waiter_counts)
{
    add_wait(0, 10, 50, A, NONE);
    add_wait(1, 20, 50, A, NONE);
    add_wait(2, 0, 40, NONE, A);
    assert_links((const uint64_t[][4]){{A, 0, 2, 50}}, 1);
}

/* Readers that hold the lock at the same time. */
TEST(no_time_counts_twice)
{
    add_wait(0, 0, 100, A, NONE);
    add_wait(1, 10, 50, NONE, A);
    add_wait(2, 20, 40, NONE, A);
    add_wait(3, 30, 70, NONE, A);
    assert_links((const uint64_t[][4]){{A, 0, 1, 40}, {A, 0, 3, 20}}, 2);
}

TEST(threads_that_wait_for_each_other)
{
    add_wait(0, 0, 100, A, B);
    add_wait(1, 10, 100, B, A);
    assert_links(
        (const uint64_t[][4]){{A, 0, 1, 90}, {A, 1, 0, 90}, {B, 0, 0, 90}, {B, 1, 1, 90}},
        4);
}

TEST(a_part_in_which_a_thread_ran_is_no_wait)
{
    add_wait(0, 0, 100, A, NONE);
    add_wait(1, 10, 50, NONE, A);
    waits.longest.list[1].time = 30;
    assert_links((const uint64_t[][4]){{A, 0, 1, 30}}, 1);
}

TEST_AROUND(setup, teardown)
