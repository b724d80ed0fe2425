/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes shares as text: OWNER.BIN=COUNT for each, separated by spaces. */

#ifndef TESTSUITE_SHARES_TEXT_H
#define TESTSUITE_SHARES_TEXT_H

#include "mlprof/profile/shares.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static inline void assert_entries(const struct shares_entry *entries, size_t count,
                                  const char *expected)
{
    char text[400] = "";
    for (size_t i = 0; i < count; i++)
        sprintf(text + strlen(text), "%s%" PRIu32 ".%" PRIu32 "=%" PRIu64, i ? " " : "",
                entries[i].owner, entries[i].bin, entries[i].count);
    ck_assert_str_eq(text, expected);
}

/* Writes the shares of OWNER in PACKED, which is sorted. */
static inline void assert_owner(const struct packed *packed, uint32_t owner,
                                const char *expected)
{
    struct shares scratch = {0};
    struct shares_own owned = packed_of(packed, owner, &scratch);
    assert_entries(owned.entries, owned.count, expected);
    shares_free(&scratch);
}

#endif
