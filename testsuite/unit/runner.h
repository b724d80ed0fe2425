/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of each unit test's main.  */

#ifndef CCPROF_TESTSUITE_RUNNER_H
#define CCPROF_TESTSUITE_RUNNER_H

#include <check.h>

/* Runs the suite, says what failed, and returns the exit status.  */
static inline int runner_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#endif
