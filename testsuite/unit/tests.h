/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unit tests that add themselves to their program, and its main: a file that includes
   this consists of TEST(name) { ... } and of TEST_ROWS and TEST_TIMES. They run in the
   order in which they stand. */

#ifndef CCPROF_TESTSUITE_TESTS_H
#define CCPROF_TESTSUITE_TESTS_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Check's limit is of a clock that goes on where the machine does something else; that of
   run.sh is not. Before any test is made; the environment has the last word. */
__attribute__((constructor)) static void runner_limit(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "0", 0);
}

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* A test; the same for each of the ROWS of an array, or so many TIMES: _i is the number.
 */
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

/* What is done before and behind each test, in its process. */
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

/* Whether all is to be tried: false in a whole `make check', where what only repeats is
   left out (ROWS in run.sh). */
static inline bool tests_in_full(void)
{
    const char *rows = getenv("ROWS");
    return !rows || strcmp(rows, "check") != 0;
}

/* What a test prints, into a stream at a time: returns the stream. */
static char *tests_text;
static size_t tests_size;

static inline FILE *print_begin(void)
{
    return open_memstream(&tests_text, &tests_size);
}

/* Closes OUT; EXPECTED was printed. */
static inline void print_end(FILE *out, const char *expected)
{
    fclose(out);
    ck_assert_str_eq(tests_text, expected);
    free(tests_text);
}

/* TEXT, which is freed, is EXPECTED; NULL: there is none. */
static inline void assert_text(char *text, const char *expected)
{
    ck_assert_pstr_eq(text, expected);
    free(text);
}

#endif
