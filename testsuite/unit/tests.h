/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unit tests that register themselves, and their main. A file that includes this header
   consists of TEST(name) { ... }, TEST_ROWS and TEST_TIMES. The tests run in the order of
   the file. */

#ifndef CCPROF_TESTSUITE_TESTS_H
#define CCPROF_TESTSUITE_TESTS_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Disables Check's timeout, which measures real time and so fails on a busy machine.
   run.sh has its own limit. Runs before any test is registered. A value in the
   environment has priority. */
__attribute__((constructor)) static void runner_limit(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "0", 0);
}

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* TEST defines a test. TEST_ROWS runs it for each element of the array ROWS, TEST_TIMES
   runs it TIMES times. _i is the number of the element or of the run. */
#define TEST(name)            TEST_TIMES(name, 1)
#define TEST_ROWS(name, rows) TEST_TIMES(name, LENGTH(rows))
#define TEST_TIMES(name, times)                                                          \
    static const TTest *name;                                                            \
    __attribute__((constructor)) static void name##_add(void)                            \
    {                                                                                    \
        tcase_add_loop_test(tests_case(), name, 0, (int)(times));                        \
    }                                                                                    \
    START_TEST(name)

static inline TCase *tests_case(void)
{
    static TCase *tests;
    return tests ? tests : (tests = tcase_create("tests"));
}

/* Functions that run before and after each test, in the test's process. */
#define TEST_AROUND(before, after)                                                       \
    __attribute__((constructor)) static void before##_add(void)                          \
    {                                                                                    \
        tcase_add_checked_fixture(tests_case(), before, after);                          \
    }

int main(void)
{
    Suite *suite = suite_create(__BASE_FILE__);
    SRunner *runner;
    int failed;

    suite_add_tcase(suite, tests_case());
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

/* Returns true if all cases should run. In a whole `make check' this is false, and tests
   leave out repetitions (ROWS in run.sh). */
static inline bool tests_in_full(void)
{
    const char *rows = getenv("ROWS");
    return !rows || strcmp(rows, "check") != 0;
}

/* Text that a test prints into a stream. Only one stream is open at a time. */
static char *tests_text;
static size_t tests_size;

static inline FILE *print_begin(void)
{
    return open_memstream(&tests_text, &tests_size);
}

/* Closes OUT, and checks that EXPECTED was printed. */
static inline void print_end(FILE *out, const char *expected)
{
    fclose(out);
    ck_assert_str_eq(tests_text, expected);
    free(tests_text);
}

/* Checks that TEXT is EXPECTED, or NULL if that is NULL, and frees TEXT. */
static inline void assert_text(char *text, const char *expected)
{
    ck_assert_pstr_eq(text, expected);
    free(text);
}

#endif
