/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/samples/tags.c rt/os/memory.c rt/os/lock.c */
/* The numbers and names of threads, for samples by thread. */

#include "rt_tests.h"
#include "rt/samples/tags.h"

#define NONE UINT64_MAX

/* Samples the calling thread as NUMBER while it has this name. */
static uint32_t note(uint32_t number, const char *name)
{
    prctl(PR_SET_NAME, name);
    return ccprof_threadnames_note(number);
}

static void assert_next(uint64_t from, uint64_t number, const char *name)
{
    char got[CCPROF_THREADNAMES_NAME] = "";
    ck_assert_uint_eq(ccprof_threadnames_next(from, got), number);
    ck_assert_str_eq(got, name);
}

static void *other_number(void *number)
{
    *(uint32_t *)number = ccprof_threadnames_number(0);
    return NULL;
}

/* The first thread always has number 1. The others are numbered in the order in which
   they are created or ask for a number. */
TEST(test_numbers)
{
    uint32_t number;
    ck_assert(ccprof_threadnames_start());
    ck_assert(ccprof_threadnames_start());
    ck_assert_uint_eq(ccprof_threadnames_new(), 2);
    in_another_thread(other_number, &number);
    ck_assert_uint_eq(number, 3);
    ck_assert_uint_eq(ccprof_threadnames_number(0), 1);
    ck_assert_uint_eq(ccprof_threadnames_number(7), 7);
    ck_assert_uint_eq(ccprof_threadnames_new(), 4);
    ccprof_threadnames_drop();
    ck_assert_uint_eq(ccprof_threadnames_new(), 2);
}

#define THREADS 8
#define EACH    200 /* in all, more than there is room for */

static void *add_many(void *from)
{
    char name[CCPROF_THREADNAMES_NAME];
    for (int i = 0; i < EACH; i++) {
        uint32_t number = ccprof_threadnames_new();
        snprintf(name, sizeof name, "n%u", number);
        uint32_t noted = note(number, name);
        if (noted != 0 && noted != number)
            return from;
        ((uint32_t *)from)[i] = noted;
    }
    return NULL;
}

/* No entry is given to two threads. */
TEST(test_at_the_same_time)
{
    static uint32_t noted[THREADS * EACH];
    unsigned places = 0;
    ck_assert(ccprof_threadnames_start());
    threads_run(THREADS, add_many, noted, EACH * sizeof *noted);
    for (int i = 0; i < THREADS * EACH; i++) {
        char want[20];
        if (noted[i] == 0)
            continue;
        places++;
        snprintf(want, sizeof want, "n%u", noted[i]);
        assert_next(noted[i], noted[i], want);
    }
    ck_assert_uint_eq(places, CCPROF_THREADNAMES_MAX);
}
