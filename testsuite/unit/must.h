/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An assertion for loops. It is separate from tests.h because that header defines
   main. */

#ifndef CCPROF_TESTSUITE_MUST_H
#define CCPROF_TESTSUITE_MUST_H

#include <check.h>

/* Check's own assertions write to a file even when they hold, which is too slow for
   millions. */
#define MUST(condition)                                                                  \
    do {                                                                                 \
        if (!(condition))                                                                \
            ck_abort_msg("not so: %s", #condition);                                      \
    } while (0)

#endif
