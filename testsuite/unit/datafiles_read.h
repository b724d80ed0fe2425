/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads data files of datafiles-*.txt with mlprof's reader. */

#ifndef TESTSUITE_DATAFILES_READ_H
#define TESTSUITE_DATAFILES_READ_H

#include "mlprof/profile/mlmon.h"
#include "testsuite/unit/datafiles.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Returns the profile that mlprof reads from the file. The file must be valid. */
static inline struct profile datafiles_read(const char *name)
{
    struct fault fault = {0};
    struct profile profile = {0};
    char *text = datafiles_text(name);
    if (!mlmon_parse(&profile, name, text, strlen(text), &fault))
        ck_abort_msg("%s", fault.text);
    free(text);
    return profile;
}

/* Checks the blocks and bytes of AMOUNT. */
static inline void datafiles_assert_amount(const struct heapdata_amount *amount,
                                           uint64_t blocks, uint64_t bytes)
{
    ck_assert_uint_eq(amount->blocks, blocks);
    ck_assert_uint_eq(amount->bytes, bytes);
}

#endif
