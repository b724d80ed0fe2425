/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz */
/* Names of waits, of which the views -waits keep all but a function. */
#include "tests.h"
#include "mlprof/view/waitwords.h"

static void assert_name(const char *thread, const char *object, const char *want)
{
    char *got = waitwords_wait(thread, CCPROF_WAIT_MUTEX, object);
    ck_assert_str_eq(got, want);
    free(got);
}

#define LOCK "lock 0x7f0012345678 first waited for in "
#define LONG LOCK "shop::storage::cache<std::pair<std::string, int>, double>::insert"

TEST(a_lock_has_the_function_that_waited_first)
{
    assert_name(NULL, "queue_lock", "mutex queue_lock");
    assert_name(NULL, "lock 0x10", "mutex 0x10");
    assert_name(NULL, "lock 0x10 z", "mutex 0x10");
    assert_name(NULL, LOCK "push", "mutex 0x7f0012345678 of push");
    assert_name("3 worker", LOCK "push", "thread 3 worker: mutex 0x7f0012345678 of push");
    assert_name(NULL, LONG, "mutex 0x7f0012345678 of ...::cache<...>::insert");
    assert_name("12 compress-block", LONG,
                "thread 12 compress-block: mutex 0x7f0012345678");
}

/* Only the function becomes shorter. */
TEST(the_thread_and_the_address_stay)
{
    static const char before[] = "thread 3 worker: mutex 0x7f0012345678 of ...";
    char *got = waitwords_wait("3 worker", CCPROF_WAIT_MUTEX, LONG);
    ck_assert_int_eq(strncmp(got, before, strlen(before)), 0);
    ck_assert_uint_le(strlen(got), 58);
    free(got);
}
