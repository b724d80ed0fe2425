/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/count/targets-first.c rt/os/lock.c rt/os/memory.c */
/* First targets: one for each call site, even with many threads, and only as many sites
   as exist. */

#include "rt_tests.h"
#include "rt/count/targets.h"

#define SITES   3000
#define THREADS 4

static uint64_t words[SITES];

static const void *target(uintptr_t number)
{
    return (const void *)number;
}

static int see(void *count, uint64_t site, uint64_t first)
{
    size_t number = (size_t)((uint64_t *)(uintptr_t)site - words);

    ck_assert_uint_lt(number, SITES);
    ck_assert_uint_eq(words[number], first);
    ++*(unsigned *)count;
    return 0;
}

TEST(the_first_stays)
{
    ck_assert(!ccprof_targets_any_first());
    ck_assert(ccprof_targets_is_first(&words[0], target(7)));
    ck_assert(ccprof_targets_any_first());
    ck_assert(!ccprof_targets_is_first(&words[0], target(8)));
    ck_assert(ccprof_targets_is_first(&words[0], target(7)));
    ck_assert(!ccprof_targets_is_first(&words[1], target(0)));
    ck_assert_uint_eq(words[1], 0);
    /* An object was opened again, so its word is new. */
    words[0] = 0;
    ck_assert(!ccprof_targets_is_first(&words[0], target(8)));
    ck_assert_uint_eq(words[0], 7);
}

static _Atomic unsigned firsts[SITES];

static void *race(void *argument)
{
    for (size_t i = 0; i < SITES; i++)
        if (ccprof_targets_is_first(&words[i], argument))
            atomic_fetch_add(&firsts[i], 1);
    return NULL;
}

/* Four threads with four targets: at most one thread is the first at each site. If each
   thread found the lock taken, the site has no first target. After an object was opened
   again, its words are 0, and the first targets are still known. */
TEST(one_of_many)
{
    unsigned kept = 0, seen = 0;

    threads_run(THREADS, race, (void *)1, 1);
    for (size_t i = 0; i < SITES; i++) {
        const uint64_t word = words[i];
        ck_assert_uint_eq(atomic_load(&firsts[i]), word != 0);
        kept += word != 0;
        words[i] = 0;
        ck_assert(word == 0 || !ccprof_targets_is_first(&words[i], target(SITES)));
        ck_assert_uint_eq(words[i], word);
    }
    ck_assert_int_eq(ccprof_targets_each_first(see, &seen), 0);
    ck_assert_uint_eq(seen, kept);
    ck_assert_uint_gt(kept, 0);
}

/* A child has its parent's first targets and can add others. */
TEST(a_fork)
{
    ck_assert(ccprof_targets_is_first(&words[0], target(7)));
    pid_t child = fork();
    if (child == 0) {
        ccprof_targets_forked();
        _exit(!ccprof_targets_is_first(&words[0], target(7)) ||
              ccprof_targets_is_first(&words[0], target(8)) ||
              !ccprof_targets_is_first(&words[1], target(8)));
    }
    child_end(child);
}
