/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/table/labels.c */
/* The numbers of names of phases, which are copied, and of regions, which stay.  */

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "rt/table/labels.h"
#include "runner.h"

/* More than a phase's name may have.  */
#define LONG "a name of seventy bytes, which is longer than the table has room for.."

START_TEST(test_phases_are_copied_and_cut_off)
{
    char name[] = "load", more[] = LONG;
    char cut[CCPROF_LABELS_NAME];
    memcpy(cut, LONG, sizeof cut);
    cut[sizeof cut - 1] = '\0';
    ck_assert_int_eq(ccprof_labels_find(name), 0);
    ck_assert_int_eq(ccprof_labels_find(more), 1);
    memset(name, 'x', 4);
    memset(more, 'x', 4);
    ck_assert_str_eq(ccprof_labels_name(0), "load");
    ck_assert_str_eq(ccprof_labels_name(1), cut);
    ck_assert_int_eq(ccprof_labels_find("load"), 0);
    ck_assert_int_eq(ccprof_labels_find(LONG), 1);
    ck_assert_int_eq(ccprof_labels_find("loa"), 2);
    ck_assert_uint_eq(ccprof_labels_count(), 3);
}
END_TEST

/* Those that differ behind a phase's last byte are two; a phase of the same name is one.
 */
START_TEST(test_names_that_stay_are_whole)
{
    static const char one[] = LONG "1", two[] = LONG "2", brief[] = "brief";
    ck_assert_int_eq(ccprof_labels_keep(one), 0);
    ck_assert_int_eq(ccprof_labels_keep(two), 1);
    ck_assert_int_eq(ccprof_labels_keep(brief), 2);
    ck_assert_ptr_eq(ccprof_labels_name(0), one);
    ck_assert_ptr_eq(ccprof_labels_name(1), two);
    ck_assert_int_eq(ccprof_labels_find("brief"), 2);
    ck_assert_int_eq(ccprof_labels_find("phase"), 3);
    ck_assert_int_eq(ccprof_labels_keep("phase"), 3);
    ck_assert_int_eq(ccprof_labels_find(LONG "1"), 4);
}
END_TEST

/* Phases have their room whatever there is of regions, and the other way round.  */
START_TEST(test_full)
{
    static char regions[CCPROF_LABELS_MAX][8];
    char phase[8];
    int room = CCPROF_LABELS_MAX - CCPROF_LABELS_PHASES, number = 0;
    for (int i = 0; i < room; i++) {
        snprintf(regions[i], sizeof regions[i], "r%d", i);
        ck_assert_int_eq(ccprof_labels_keep(regions[i]), number++);
    }
    for (int i = 0; i < CCPROF_LABELS_PHASES; i++) {
        snprintf(phase, sizeof phase, "p%d", i);
        ck_assert_int_eq(ccprof_labels_find(phase), number++);
    }
    ck_assert_int_eq(ccprof_labels_find("one more"), -1);
    ck_assert_int_eq(ccprof_labels_keep("one more"), -1);
    ck_assert_int_eq(ccprof_labels_find("r7"), 7);
    ck_assert_int_eq(ccprof_labels_find("p7"), room + 7);
    ck_assert_uint_eq(ccprof_labels_count(), CCPROF_LABELS_MAX);
    ck_assert_str_eq(ccprof_labels_name(7), "r7");
}
END_TEST

#define THREADS 8
#define TRIES   1000

/* Each thread asks for the same names, in an order of its own.  */
static void *asks(void *of)
{
    int *numbers = of;
    char name[8];
    for (int i = 0; i < TRIES; i++) {
        int which = (i * numbers[0]) % CCPROF_LABELS_PHASES;
        snprintf(name, sizeof name, "p%d", which);
        numbers[which + 1] = ccprof_labels_find(name);
    }
    return NULL;
}

START_TEST(test_at_the_same_time)
{
    static int numbers[THREADS][CCPROF_LABELS_PHASES + 1];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i][0] = 2 * i + 1;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, asks, numbers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(ccprof_labels_count(), CCPROF_LABELS_PHASES);
    for (int which = 0; which < CCPROF_LABELS_PHASES; which++) {
        char name[8];
        snprintf(name, sizeof name, "p%d", which);
        for (int i = 0; i < THREADS; i++)
            ck_assert_str_eq(ccprof_labels_name((unsigned)numbers[i][which + 1]), name);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rt labels");
    TCase *tests = tcase_create("labels");
    tcase_add_test(tests, test_phases_are_copied_and_cut_off);
    tcase_add_test(tests, test_names_that_stay_are_whole);
    tcase_add_test(tests, test_full);
    tcase_add_test(tests, test_at_the_same_time);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
