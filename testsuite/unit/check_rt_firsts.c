/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/count/firsts.c rt/os/lock.c rt/os/pages.c */
/* First targets: one for each site, whoever comes, and as many sites as there are.  */

#include "rt_tests.h"
#include "rt/count/firsts.h"

#define SITES   3000
#define THREADS 4

static uint64_t words[SITES];

static const void *target(uintptr_t number)
{
    return (const void *)number;
}

struct seen {
    unsigned count;
    uint64_t sum; /* of targets */
};

static int see(void *context, uint64_t site, uint64_t first)
{
    struct seen *seen = context;
    size_t number = (size_t)((uint64_t *)(uintptr_t)site - words);

    ck_assert_uint_lt(number, SITES);
    ck_assert_uint_eq(words[number], first);
    seen->count++;
    seen->sum += first;
    return 0;
}

TEST(the_first_stays)
{
    ck_assert(!ccprof_firsts_any());
    ck_assert(ccprof_firsts_is(&words[0], target(7)));
    ck_assert(ccprof_firsts_any());
    ck_assert(!ccprof_firsts_is(&words[0], target(8)));
    ck_assert(ccprof_firsts_is(&words[0], target(7)));
    ck_assert(!ccprof_firsts_is(&words[1], target(0)));
    ck_assert_uint_eq(words[1], 0);
    /* The word is new, in an object that was opened again.  */
    words[0] = 0;
    ck_assert(!ccprof_firsts_is(&words[0], target(8)));
    ck_assert_uint_eq(words[0], 7);
}

TEST(many_sites)
{
    struct seen seen = {0, 0};

    for (size_t i = 0; i < SITES; i++)
        ck_assert(ccprof_firsts_is(&words[i], target(i + 1)));
    for (size_t i = 0; i < SITES; i++) {
        words[i] = 0;
        ck_assert(!ccprof_firsts_is(&words[i], target(SITES + 1)));
        ck_assert_uint_eq(words[i], i + 1);
    }
    ck_assert_int_eq(ccprof_firsts_each(see, &seen), 0);
    ck_assert_uint_eq(seen.count, SITES);
    ck_assert_uint_eq(seen.sum, (uint64_t)SITES * (SITES + 1) / 2);
}

static _Atomic unsigned firsts[SITES];

static void *race(void *argument)
{
    for (size_t i = 0; i < SITES; i++)
        if (ccprof_firsts_is(&words[i], argument))
            atomic_fetch_add(&firsts[i], 1);
    return NULL;
}

/* Of four threads with four targets one at most is the first at each site; none, if each
   found the lock taken.  */
TEST(one_of_many)
{
    struct seen seen = {0, 0};
    unsigned kept = 0;

    threads_run(THREADS, race, (void *)1, 1);
    for (size_t i = 0; i < SITES; i++) {
        ck_assert_uint_eq(atomic_load(&firsts[i]), words[i] != 0);
        kept += words[i] != 0;
    }
    ccprof_firsts_each(see, &seen);
    ck_assert_uint_eq(seen.count, kept);
    ck_assert_uint_gt(kept, 0);
}

static int stop_at_once(void *context, uint64_t site, uint64_t first)
{
    ++*(int *)context;
    return 5;
}

TEST(whoever_visits_may_stop)
{
    int visits = 0;

    race((void *)1);
    ck_assert_int_eq(ccprof_firsts_each(stop_at_once, &visits), 5);
    ck_assert_int_eq(visits, 1);
}

/* A child has its parent's, and can add others.  */
TEST(a_fork)
{
    ck_assert(ccprof_firsts_is(&words[0], target(7)));
    pid_t child = fork();
    if (child == 0) {
        ccprof_firsts_forked();
        _exit(!ccprof_firsts_is(&words[0], target(7)) ||
              ccprof_firsts_is(&words[0], target(8)) ||
              !ccprof_firsts_is(&words[1], target(8)));
    }
    child_end(child);
}
