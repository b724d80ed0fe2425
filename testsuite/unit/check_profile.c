/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/datafiles.c testsuite/unit/profile_text.c mlprof.a */
/* links: -lelf -lz -lm */
/* Profiles: points, the empty profile, and weights.  What two files add up to is in
   datafiles-*.txt.  */

#include "testsuite/unit/tests.h"
#include "testsuite/unit/datafiles_read.h"
#include "testsuite/unit/profile_text.h"

#define ROOT PROFILE_NO_NODE

/* One run: 100 Hz, executable p with build-id "aa", a library at PATH with ID.  */
static struct profile run(uint64_t samples, const char *path, const char *id)
{
    struct profile profile = {.kind = CCPROF_KIND_TIME,
                              .engines = PROFILE_TASK_CLOCK,
                              .clock = PROFILE_CPU,
                              .rate = 100,
                              .stack = true,
                              .threads = 2,
                              .most_threads = 2,
                              .waits = 3,
                              .cpu = samples * 10,
                              .wall = samples * 11,
                              .samples = samples,
                              .lost = 1};
    profile_add_module(&profile, "p", "aa");
    profile_add_module(&profile, path, id);
    return profile;
}

static void merge(struct profile *into, const struct profile *from)
{
    struct fault fault = {0};
    if (!profile_merge(into, from, "file", &fault))
        ck_abort_msg("%s", fault.text);
}

static uint64_t count_at(struct profile *profile, uint32_t parent, uint32_t module,
                         uint64_t address)
{
    uint32_t number = profile_add(profile, parent, module, address, 0);
    return profile->nodes[number].count;
}

TEST(points_are_added)
{
    struct profile profile = {0};
    uint32_t f = profile_add(&profile, ROOT, 0, 0x10, 2);
    uint32_t g = profile_add(&profile, f, 0, 0x10, 3);
    ck_assert_uint_ne(f, g);
    ck_assert_uint_eq(profile_add(&profile, ROOT, 0, 0x10, 5), f);
    ck_assert_uint_eq(profile_add(&profile, f, 0, 0x10, 7), g);
    ck_assert_uint_ne(profile_add(&profile, ROOT, 1, 0x10, 1), f);
    ck_assert_uint_eq(profile.nodes[f].count, 7);
    ck_assert_uint_eq(profile.nodes[g].count, 10);
    ck_assert_uint_eq(profile.node_count, 3);
    profile_free(&profile);
}

TEST(the_empty_one_changes_nothing)
{
    struct profile empty = {0}, left = {0}, one = datafiles_read("run");
    char *due = profile_text(&one);
    merge(&left, &one);
    merge(&one, &empty);
    char *texts[] = {profile_text(&left), profile_text(&one)};
    ck_assert_str_eq(texts[0], due);
    ck_assert_str_eq(texts[1], due);
    free(texts[0]);
    free(texts[1]);
    free(due);
    profile_free(&left);
    profile_free(&one);
}

TEST(folds)
{
    struct fault fault = {0};
    struct profile sum = {0};
    for (int i = 1; i <= 3; i++) {
        struct profile one = run(10, "l", NULL);
        profile_add(&one, ROOT, 0, 0x10, 9);
        ck_assert(profile_fold(&sum, &one, "file", &fault));
        ck_assert_int_eq(one.kind, 0);
        ck_assert_ptr_null(one.nodes);
        ck_assert_uint_eq(count_at(&sum, ROOT, 0, 0x10), 9 * i);
        ck_assert_uint_eq(sum.samples, 10 * i);
    }
    struct profile two = run(10, "l", NULL);
    two.rate = 50;
    ck_assert(!profile_fold(&sum, &two, "file", &fault));
    ck_assert_int_eq(fault.kind, FAULT_MISMATCH);
    ck_assert_uint_eq(sum.samples, 30);
    ck_assert_ptr_null(two.modules);
    fault_clear(&fault);
    profile_free(&sum);
}

/* A profile that has counted, in its shared object, COUNT at an address, CALLS of a
   target, and in a counter of which the largest is kept MOST.  */
static struct profile counted(uint64_t count, uint64_t calls, uint64_t most)
{
    struct profile_target target = {.site_module = 1, .site = 0x30, .address = 0x40};
    struct profile profile = run(0, "lib", "bb");
    profile_add_counter(&profile, 1, 0x10, count);
    profile_add_counter(&profile, 1, 0x20, 99);
    profile_keep_most(&profile, 1, 0x20, most);
    profile_add_target(&profile, &target, calls);
    profile.modules[1].runs = 1;
    profile.modules[1].peaks = count;
    return profile;
}

static void assert_counted(const struct profile *profile, uint64_t count, uint64_t calls,
                           uint64_t most)
{
    ck_assert_uint_eq(profile_count_of(profile, 1, 0x10), count);
    ck_assert_uint_eq(profile_count_of(profile, 1, 0x20), most);
    ck_assert_uint_eq(profile->target_count, 1);
    ck_assert_uint_eq(profile->targets[0].count, calls);
    ck_assert_uint_eq(profile->modules[1].peaks, count);
}

TEST(a_run_that_counts_several_times)
{
    struct profile sum = {0}, one = counted(5, 7, 1000), other = counted(20, 0, 1001);
    profile_multiply(&one, 3);
    assert_counted(&one, 15, 21, 1000);
    ck_assert_uint_eq(one.counter_total, 36);
    merge(&sum, &one);
    merge(&sum, &other);
    assert_counted(&sum, 35, 21, 1001);
    ck_assert_uint_eq(sum.counter_total, 56);
    ck_assert_uint_eq(sum.modules[1].runs, 4);
    profile_free(&one);
    profile_free(&other);
    profile_free(&sum);
}

/* Neither products nor sums wrap around.  */
TEST(a_weight_that_is_too_large)
{
    struct profile sum = {0}, one = counted(1ull << 62, 1, 1000), other;
    profile_multiply(&one, 5);
    assert_counted(&one, UINT64_MAX, 5, 1000);
    ck_assert_uint_eq(one.counter_total, UINT64_MAX);
    merge(&sum, &one);
    merge(&sum, &one);
    assert_counted(&sum, UINT64_MAX, 10, 1000);
    other = counted(9, UINT64_MAX - 9, 2000);
    merge(&sum, &other);
    assert_counted(&sum, UINT64_MAX, UINT64_MAX, 2000);
    ck_assert_uint_eq(sum.counter_total, UINT64_MAX);
    profile_free(&other);
    profile_free(&one);
    profile_free(&sum);
}
