/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lm */
/* The buckets of the histogram of a region's calls. */

#include "mlprof/profile/regions.h"
#include "testsuite/unit/tests.h"

/* As in the manual page: 16 buckets of single values, then 8 buckets for each
   doubling. */
TEST(buckets)
{
    for (uint64_t ticks = 0; ticks < 16; ticks++)
        ck_assert_uint_eq(regions_bucket(ticks), ticks);
    for (unsigned n = 0; n < 40; n++)
        for (unsigned k = 0; k < 8; k++) {
            size_t bucket = 16 + 8 * n + k;
            uint64_t least = (8 + (uint64_t)k) << (n + 1);
            uint64_t end = (9 + (uint64_t)k) << (n + 1);
            ck_assert_uint_eq(regions_bucket_least(bucket), least);
            ck_assert_uint_eq(regions_bucket_end(bucket), bucket == 335 ? 0 : end);
            ck_assert_uint_eq(regions_bucket(least), bucket);
            ck_assert_uint_eq(regions_bucket(end - 1), bucket);
        }
    ck_assert_uint_eq(regions_bucket(UINT64_MAX), 335);
    ck_assert_uint_eq(CCPROF_BUCKETS, 336);
}
