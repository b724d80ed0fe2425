/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of each unit test's main; Check does not limit the time of its tests.  */

#ifndef CCPROF_TESTSUITE_RUNNER_H
#define CCPROF_TESTSUITE_RUNNER_H

#include <check.h>
#include <stdlib.h>

/* Check's limit is of a clock that goes on where the machine does something else; that of
   run.sh is not.  Before any test is made; the environment has the last word.  */
__attribute__((constructor)) static void runner_limit(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "0", 0);
}

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
