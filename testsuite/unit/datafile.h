/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files as texts, whole and damaged, for the tests of what mlprof reads of them.  A
   file that includes this one defines _GNU_SOURCE.  */

#ifndef TESTSUITE_DATAFILE_H
#define TESTSUITE_DATAFILE_H

#include "mlprof/profile/mlmon.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The profile of a file that is whole.  */
static inline struct profile datafile_parse(const char *text)
{
    struct fault fault = {0};
    struct profile profile = {0};
    if (!mlmon_parse(&profile, "m", text, strlen(text), &fault))
        ck_abort_msg("%s", fault.text);
    return profile;
}

/* The file of SIZE bytes, called m, is refused as KIND, WHAT is said, and nothing of it
   is kept.  */
static inline void datafile_assert_refused(const char *text, size_t size,
                                           enum fault_kind kind, const char *what)
{
    struct fault fault = {0};
    struct profile profile = {0};
    ck_assert(!mlmon_parse(&profile, "m", text, size, &fault));
    ck_assert_str_eq(fault.text, what);
    ck_assert_int_eq(fault.kind, kind);
    ck_assert_uint_eq(profile.node_count, 0);
    ck_assert_int_eq(profile.kind, 0);
    ck_assert_uint_eq(profile.regions.path_count, 0);
    ck_assert_uint_eq(profile.heap.node_count, 0);
    fault_clear(&fault);
}

/* WHOLE with TO in place of the first FROM is refused as KIND, and LINE is said of it. */
static inline void datafile_assert_damage(const char *whole, const char *from,
                                          const char *to, enum fault_kind kind,
                                          const char *line)
{
    char *text = NULL, *what = NULL;
    const char *at = strstr(whole, from);
    ck_assert_ptr_nonnull(at);
    ck_assert_int_gt(
        asprintf(&text, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from)), 0);
    ck_assert_int_gt(asprintf(&what, "m: %s", line), 0);
    datafile_assert_refused(text, strlen(text), kind, what);
    free(what);
    free(text);
}

/* So much of the heap.  */
static inline void datafile_assert_amount(const struct heapdata_amount *amount,
                                          uint64_t blocks, uint64_t bytes)
{
    ck_assert_uint_eq(amount->blocks, blocks);
    ck_assert_uint_eq(amount->bytes, bytes);
}

/* Each beginning of WHOLE is no file.  */
static inline void datafile_assert_cut_off(const char *whole)
{
    for (size_t size = 0; size < strlen(whole); size++) {
        struct fault fault = {0};
        struct profile profile = {0};
        /* In memory of its own, so that a sanitizer sees a byte too many.  */
        char *part = malloc(size ? size : 1);
        memcpy(part, whole, size);
        ck_assert(!mlmon_parse(&profile, "m", part, size, &fault));
        ck_assert_ptr_nonnull(strstr(fault.text, "m: line "));
        fault_clear(&fault);
        free(part);
    }
}

#endif
