/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Times of samples: sorting, searching and division, with exactly as many samples as
   before. */

#include "testsuite/unit/random.h"
#include "testsuite/unit/shares_text.h"
#include "testsuite/unit/tests.h"

TEST(sorted)
{
    struct shares shares = {0};
    size_t at = 0;
    shares_sort(&shares);
    ck_assert_uint_eq(shares_of(&shares, 0, &at).count, 0);
    shares_add(&shares, 7, 2, 1);
    shares_add(&shares, 3, 9, 4);
    shares_add(&shares, 7, 1, 5);
    shares_add(&shares, 3, 9, 6);
    shares_add(&shares, 3, 8, 0);
    shares_sort(&shares);
    assert_entries(shares.entries, shares.count, "3.9=10 7.1=5 7.2=1");
    ck_assert_uint_eq(shares_of(&shares, 5, &at).count, 0);
    struct shares_own bin = shares_of(&shares, 7, &at);
    ck_assert_uint_eq(bin.count, 2);
    ck_assert_uint_eq(bin.total, 6);
    ck_assert_uint_eq(shares_of(&shares, 8, &at).count, 0);
    shares_free(&shares);
    ck_assert_uint_eq(shares.count, 0);
}

/* 7 of 10 samples in buckets of 2, 3 and 5: 1.4, 3.5 and 7, the ends of the buckets,
   rounded down. Then the rest. */
TEST(in_two)
{
    const struct shares_entry entries[] = {{1, 0, 2}, {1, 1, 3}, {1, 2, 5}};
    struct shares_own bin = {entries, 3, 0, 10};
    struct shares to = {0};
    shares_take(&to, 5, &bin, 7);
    assert_entries(to.entries, to.count, "5.0=1 5.1=2 5.2=4");
    shares_take(&to, 4, &bin, 9);
    assert_entries(to.entries, to.count, "5.0=1 5.1=2 5.2=4 4.0=1 4.1=1 4.2=1");
    shares_take(&to, 4, &bin, 1);
    ck_assert_uint_eq(to.count, 6);
    shares_free(&to);
}

/* If the samples of a bin are taken in two parts, each bucket still has all of its
   samples. */
TEST(any_two)
{
    struct shares_entry entries[20];
    for (int round = 0; round < 2000; round++) {
        struct shares_own bin = {entries, 1 + random_below(20), 0, 0};
        struct shares to = {0};
        uint64_t most = random_below(4) ? 9 : UINT64_MAX / 21, sums[20] = {0};
        for (uint32_t i = 0; i < bin.count; i++) {
            entries[i] = (struct shares_entry){1, i, 1 + random_below(most)};
            bin.total += entries[i].count;
        }
        uint64_t first = random_below(bin.total + 1), taken = 0;
        shares_take(&to, 0, &bin, first);
        for (size_t i = 0; i < to.count; i++)
            taken += to.entries[i].count;
        ck_assert_uint_eq(taken, first);
        shares_take(&to, 1, &bin, bin.total - first);
        for (size_t i = 0; i < to.count; i++)
            sums[to.entries[i].bin] += to.entries[i].count;
        for (size_t i = 0; i < bin.count; i++)
            ck_assert_uint_eq(sums[i], entries[i].count);
        shares_free(&to);
    }
}
