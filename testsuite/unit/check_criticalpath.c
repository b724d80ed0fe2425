/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The critical path of small runs, worked out by hand. Times are in nanoseconds. */

#include "tests.h"

#include "mlprof/base/buf.h"
#include "mlprof/profile/profile.h"
#include "mlprof/waiting/criticalpath.h"

static struct waitdata waits;
static struct criticalpath path;

static void setup(void)
{
    waits = (struct waitdata){.measured = true};
    path = (struct criticalpath){0};
}

static void teardown(void)
{
    criticalpath_free(&path);
    waitdata_free(&waits);
}

static void add_thread(uint32_t thread, uint64_t start, uint64_t end)
{
    bool fresh;
    const struct waitdata_state state = {
        .thread = thread, .start = start, .wall = end - start};
    ck_assert(waitdata_add_state(&waits, &state, &fresh));
}

/* Returns the node of the thread. */
static uint32_t thread_node(uint32_t thread)
{
    return waitdata_put_node(
        &waits, &(struct waitdata_node){PROFILE_NO_NODE, PROFILE_THREAD, thread});
}

/* THREAD waits from START to END, until the thread BY ends it; WAITDATA_NONE: something
   outside. Returns the number of the wait. */
static uint32_t add_wait(uint32_t thread, uint64_t start, uint64_t end, uint32_t by)
{
    uint32_t number;
    const struct waitdata_wait wait = {
        .stack = thread_node(thread),
        .object = WAITDATA_NONE,
        .held = WAITDATA_NONE,
        .cause = by == WAITDATA_NONE ? WAITDATA_NONE : thread_node(by),
        .end = by == WAITDATA_NONE ? CCPROF_WAIT_BY_OUTSIDE : CCPROF_WAIT_BY_THREAD,
        .reason = by == WAITDATA_NONE ? CCPROF_WAIT_SLEEP : CCPROF_WAIT_CONDITION,
        .taken_module = PROFILE_NO_MODULE,
        .count = 1,
        .time = end - start,
        .longest = end - start};
    ck_assert(waitdata_add_wait(&waits, &wait, &number));
    BUF_PUSH(waits.longest) =
        (struct waitdata_single){number, start, end - start, end - start};
    return number;
}

/* Compares the steps with EXPECTED: thread, wait, from, to. */
static void assert_steps(const uint64_t (*expected)[4], size_t count)
{
    criticalpath_find(&path, &waits);
    ck_assert_uint_eq(path.steps.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct criticalpath_step *step = &path.steps.list[i];
        ck_assert_uint_eq(step->thread, expected[i][0]);
        ck_assert_uint_eq(step->wait, expected[i][1]);
        ck_assert_uint_eq(step->from, expected[i][2]);
        ck_assert_uint_eq(step->to, expected[i][3]);
    }
}

/* Thread 0 waits for the end of thread 1, which sleeps in the middle. Thread 2 runs as
   long, and nobody waits for it. */
TEST(it_goes_through_the_thread_that_is_joined)
{
    add_thread(0, 0, 100);
    add_thread(1, 5, 90);
    add_thread(2, 6, 99);
    add_wait(0, 10, 90, 1);
    const uint32_t sleep = add_wait(1, 30, 60, WAITDATA_NONE);
    assert_steps((const uint64_t[][4]){{0, WAITDATA_NONE, 90, 100},
                                       {1, WAITDATA_NONE, 60, 90},
                                       {1, sleep, 30, 60},
                                       {1, WAITDATA_NONE, 5, 30},
                                       {0, WAITDATA_NONE, 0, 5}},
                 5);
    ck_assert_uint_eq(path.time, 100);
    ck_assert_uint_eq(path.sums.count, 3);
    ck_assert_uint_eq(path.sums.list[0].thread, 1);
    ck_assert_uint_eq(path.sums.list[0].wait, WAITDATA_NONE);
    ck_assert_uint_eq(path.sums.list[0].time, 55);
    ck_assert_uint_eq(path.sums.list[0].count, 2);
    ck_assert_uint_eq(path.sums.list[1].wait, sleep);
    ck_assert_uint_eq(path.sums.list[2].time, 15);
}

/* A hands work to B at 20, 40 and 60; B works 5 after the first, and 25 after the second,
   so that at the third A waits for B. */
TEST(the_bottleneck_moves)
{
    add_thread(0, 0, 80);
    add_thread(1, 0, 80);
    add_wait(1, 0, 20, 0);
    add_wait(1, 25, 40, 0);
    add_wait(0, 60, 65, 1);
    assert_steps((const uint64_t[][4]){{0, WAITDATA_NONE, 65, 80},
                                       {1, WAITDATA_NONE, 40, 65},
                                       {0, WAITDATA_NONE, 0, 40}},
                 3);
}

/* A part of a wait in which the thread waited for a processor is at its end. */
TEST(a_thread_that_is_ready_counts_as_running)
{
    add_thread(0, 0, 50);
    const uint32_t sleep = add_wait(0, 10, 20, WAITDATA_NONE);
    waits.longest.list[0].length = 30;
    assert_steps((const uint64_t[][4]){{0, WAITDATA_NONE, 20, 50},
                                       {0, sleep, 10, 20},
                                       {0, WAITDATA_NONE, 0, 10}},
                 3);
}

/* Clocks of different threads may be a little apart. */
TEST(it_ends_if_threads_wake_each_other_at_the_same_time)
{
    add_thread(0, 0, 50);
    add_thread(1, 0, 50);
    add_wait(0, 10, 40, 1);
    add_wait(1, 10, 40, 0);
    criticalpath_find(&path, &waits);
    ck_assert_uint_eq(path.time, 50);
}

/* Thread 0 waits for a lock from 10 to 90. Thread 1 sleeps until 60, and takes the lock
   then, or at 5. */
TEST(the_thread_that_held_a_lock_has_taken_it_late_or_early)
{
    add_thread(0, 0, 100);
    add_thread(1, 0, 100);
    const uint32_t lock = add_wait(0, 10, 90, 1),
                   sleep = add_wait(1, 20, 60, WAITDATA_NONE);
    waits.waits.list[lock].reason = CCPROF_WAIT_MUTEX;
    waits.waits.list[lock].object = 7;
    assert_steps((const uint64_t[][4]){{0, WAITDATA_NONE, 90, 100},
                                       {1, WAITDATA_NONE, 60, 90},
                                       {0, lock, 10, 60},
                                       {0, WAITDATA_NONE, 0, 10}},
                 4);
    /* With another lock, which it took later than this one. */
    for (uint32_t held = 7; held <= 8; held++) {
        criticalpath_free(&path);
        path = (struct criticalpath){0};
        waits.waits.list[sleep].held = held;
        assert_steps((const uint64_t[][4]){{0, WAITDATA_NONE, 90, 100},
                                           {1, WAITDATA_NONE, 60, 90},
                                           {1, sleep, 20, 60},
                                           {1, WAITDATA_NONE, 0, 20}},
                     4);
    }
}

/* Thread 2 begins at 50 and holds a lock for which thread 1 waits from 10 to 100. */
TEST(who_created_a_thread_is_not_judged_by_its_lock)
{
    add_thread(0, 0, 110);
    add_thread(1, 5, 105);
    add_thread(2, 50, 110);
    const uint32_t sleep = add_wait(0, 20, 45, WAITDATA_NONE),
                   lock = add_wait(1, 10, 100, 2);
    add_wait(0, 60, 105, 1);
    waits.waits.list[lock].reason = CCPROF_WAIT_MUTEX;
    waits.waits.list[lock].object = 7;
    assert_steps((const uint64_t[][4]){{0, WAITDATA_NONE, 105, 110},
                                       {1, WAITDATA_NONE, 100, 105},
                                       {2, WAITDATA_NONE, 50, 100},
                                       {0, WAITDATA_NONE, 45, 50},
                                       {0, sleep, 20, 45},
                                       {0, WAITDATA_NONE, 0, 20}},
                 6);
}

/* Threads 0 and 1 wait for a lock of thread 2, which gives it to thread 1. */
TEST(a_lock_that_changes_hands_during_a_wait)
{
    add_thread(0, 0, 100);
    add_thread(1, 0, 100);
    add_thread(2, 0, 100);
    const uint32_t numbers[] = {add_wait(0, 10, 90, 1), add_wait(1, 20, 60, 2)};
    for (int i = 0; i < 2; i++) {
        waits.waits.list[numbers[i]].reason = CCPROF_WAIT_MUTEX;
        waits.waits.list[numbers[i]].object = 7;
    }
    assert_steps((const uint64_t[][4]){{0, WAITDATA_NONE, 90, 100},
                                       {1, WAITDATA_NONE, 60, 90},
                                       {2, WAITDATA_NONE, 0, 60}},
                 3);
}

TEST(after_a_merge_it_is_not_known)
{
    add_thread(0, 0, 50);
    criticalpath_find(&path, &waits);
    ck_assert_uint_eq(path.steps.count, 0);
}

TEST_AROUND(setup, teardown)
