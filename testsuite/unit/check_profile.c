/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Weights of runs that are too large. (Sums of two files: datafiles-*.txt; usual weights:
   train/train-runs.test.) */

#include "mlprof/profile/profile.h"
#include "testsuite/unit/tests.h"

static void merge(struct profile *into, const struct profile *from)
{
    struct fault fault = {0};
    if (!profile_merge(into, from, "file", &fault))
        ck_abort_msg("%s", fault.text);
}

/* Returns a profile of a shared object with COUNT at an address, CALLS of a target, and
   MOST in a counter whose maximum is kept. */
static struct profile counted(uint64_t count, uint64_t calls, uint64_t most)
{
    struct profile_target target = {.site_module = 1, .site = 0x30, .address = 0x40};
    struct profile profile = {.kind = CCPROF_KIND_COUNT, .runs.threads = 1};
    profile_add_module(&profile, "p", "aa");
    profile_add_module(&profile, "lib", "bb");
    profile_add_counter(&profile, 1, 0x10, count);
    profile_add_counter(&profile, 1, 0x20, 99);
    profile_keep_most(&profile, 1, 0x20, most);
    profile_add_target(&profile, &target, calls);
    profile.modules.list[1].runs = 1;
    profile.modules.list[1].peaks = count;
    return profile;
}

static void assert_counted(const struct profile *profile, uint64_t count, uint64_t calls,
                           uint64_t most)
{
    ck_assert_uint_eq(profile_count_of(profile, 1, 0x10), count);
    ck_assert_uint_eq(profile_count_of(profile, 1, 0x20), most);
    ck_assert_uint_eq(profile->counts.targets.count, 1);
    ck_assert_uint_eq(profile->counts.targets.list[0].count, calls);
    ck_assert_uint_eq(profile->modules.list[1].peaks, count);
}

/* Products and sums do not overflow. */
TEST(a_weight_that_is_too_large)
{
    struct profile sum = {0}, one = counted(1ull << 62, 1, 1000), other;
    profile_multiply(&one, 5);
    assert_counted(&one, UINT64_MAX, 5, 1000);
    ck_assert_uint_eq(one.counts.total, UINT64_MAX);
    merge(&sum, &one);
    merge(&sum, &one);
    assert_counted(&sum, UINT64_MAX, 10, 1000);
    other = counted(9, UINT64_MAX - 9, 2000);
    merge(&sum, &other);
    assert_counted(&sum, UINT64_MAX, UINT64_MAX, 2000);
    ck_assert_uint_eq(sum.counts.total, UINT64_MAX);
    profile_free(&other);
    profile_free(&one);
    profile_free(&sum);
}
