/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An assertion for loops; apart from tests.h, which has a main. */

#ifndef CCPROF_TESTSUITE_MUST_H
#define CCPROF_TESTSUITE_MUST_H

#include <check.h>

/* Check's own assertions write to a file when they hold, too: too slow for millions. */
#define MUST(condition)                                                                  \
    do {                                                                                 \
        if (!(condition))                                                                \
            ck_abort_msg("not so: %s", #condition);                                      \
    } while (0)

#endif
