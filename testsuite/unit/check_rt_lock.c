/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/os/lock.c rt/os/memory.c */
/* Locks and memory: failures are reported, and the program's errno does not change. */

#include "rt_tests.h"
#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/os/sys.h"

/* A value that is not an error number. */
#define MINE 12345

static ccprof_lock lock;

TEST(test_patience)
{
    ck_assert(ccprof_lock_try(&lock));
    ck_assert(!ccprof_lock_try(&lock));
    errno = MINE;
    ck_assert(!ccprof_lock_wait(&lock, 20000000));
    ck_assert_int_eq(errno, MINE);
    ccprof_lock_release(&lock);
    ck_assert(ccprof_lock_wait(&lock, 0));
    ccprof_lock_release(&lock);
}

/* A thread that waits long for a flag sleeps. */
TEST(test_flag)
{
    static ccprof_spin flag = 1;

    errno = MINE;
    const uint64_t cpu = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    ck_assert(!ccprof_spin_wait(&flag, 300000000));
    ck_assert_uint_lt(ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID) - cpu, 150000000);
    ck_assert_int_eq(errno, MINE);
    ccprof_spin_release(&flag);
    ck_assert(ccprof_spin_wait(&flag, 0));
}

static ccprof_lock word;

static void *change(void *unused)
{
    ccprof_sys_sleep(20000000);
    word = 7;
    ccprof_lock_wake(&word);
    return NULL;
}

/* A thread that waits for a word wakes after the word has changed. If it changed before,
   the thread does not sleep. */
TEST(test_word)
{
    pthread_t thread;

    errno = MINE;
    ccprof_lock_sleep(&word, 1, 0);
    threads_begin(&thread, 1, change, NULL, 0);
    while (word == 0)
        ccprof_lock_sleep(&word, 0, 0);
    ccprof_lock_sleep(&word, 7, ccprof_sys_clock(CLOCK_MONOTONIC) + 1000000);
    ck_assert_int_eq(errno, MINE);
    threads_end(&thread, 1);
}

TEST(test_no_memory)
{
    struct ccprof_pages pages;

    errno = MINE;
    ck_assert(!ccprof_pages_make(&pages, (uint64_t)1 << 62));
    ck_assert_ptr_null(pages.start);
    ck_assert_int_eq(errno, MINE);
}
