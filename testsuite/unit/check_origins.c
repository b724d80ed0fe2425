/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Where files were written: version 5 of the data file, and which samples of several
   files merged are of which rank.  */

#define _GNU_SOURCE
#include "mlprof/profile/mlmon.h"
#include "testsuite/unit/tests.h"

#include <string.h>

#define REST                                                                             \
    "engine task-clock\nclock cpu\nrate 100\nstack yes\ncpu 50\nwall 70\nthreads 1\n"    \
    "waits 0\nsamples 10\nlost 1\nelsewhere 0\nmodule 0 - 0x0 p\n"
#define POINTS "counts 2\n0 0 0x1 4\n1 0 0x2 5\nend\n"

/* What a file says whose lines of its origin are ORIGIN.  */
static struct profile parse(const char *origin, const char *points)
{
    struct fault fault = {0};
    struct profile profile = {0};
    char *text;
    int size = asprintf(&text, "ccprof mlmon 5\nkind time\n%s" REST "%s", origin, points);
    if (!mlmon_parse(&profile, "m", text, (size_t)size, &fault))
        ck_abort_msg("%s", fault.text);
    free(text);
    return profile;
}

static void assert_origin(const struct profile *profile, uint32_t number,
                          const char *host, bool ranked, uint64_t rank, uint64_t size)
{
    ck_assert_uint_lt(number, profile->origins.count);
    const struct origins_origin *origin = &profile->origins.origins[number];
    if (host)
        ck_assert_str_eq(origins_host(&profile->origins, number), host);
    else
        ck_assert_ptr_null(origins_host(&profile->origins, number));
    ck_assert_int_eq(origin->ranked, ranked);
    ck_assert_uint_eq(origin->rank, rank);
    ck_assert_uint_eq(origin->size, size);
}

static const struct {
    const char *lines, *host;
    bool ranked;
    uint64_t rank, size;
} told[] = {
    {"host node\\\\ 7\nrank 3 40\n", "node\\ 7", true, 3, 40},
    {"command p\nhost n\nrank 0 -\n", "n", true, 0, 0},
    {"rank 18446744073709551614 18446744073709551615\n", NULL, true, UINT64_MAX - 1,
     UINT64_MAX},
    {"host n\n", "n", false, 0, 0},
    {"", NULL, false, 0, 0},
};

TEST_ROWS(one_file, told)
{
    struct profile profile = parse(told[_i].lines, POINTS);
    ck_assert_uint_eq(profile.origins.count, 1);
    assert_origin(&profile, 0, told[_i].host, told[_i].ranked, told[_i].rank,
                  told[_i].size);
    const struct origins_origin *origin = &profile.origins.origins[0];
    ck_assert_uint_eq(origin->cpu, 50);
    ck_assert_uint_eq(origin->wall, 70);
    ck_assert_uint_eq(origin->samples, 10);
    ck_assert_uint_eq(origin->lost, 1);
    ck_assert_uint_eq(origin->files, 1);
    ck_assert_int_eq(origins_ranks(&profile.origins), told[_i].ranked);
    profile_free(&profile);
}

#define RANK_WRONG "it should be `rank', a number and a greater one or `-'"

static const struct {
    const char *lines, *what;
} wrong[] = {
    {"host \n", "m: line 3: it should be `host' and a name"},
    {"host a\\b\n", "m: line 3: it should be `host' and a name"},
    {"rank 1 2\nhost a\n", "m: line 4: it should be `engine' and one word"},
    {"host a\nhost b\n", "m: line 4: it should be `engine' and one word"},
    {"rank 3 3\n", "m: line 3: " RANK_WRONG},
    {"rank 3\n", "m: line 3: " RANK_WRONG},
    {"rank 3 \n", "m: line 3: " RANK_WRONG},
    {"rank - 3\n", "m: line 3: " RANK_WRONG},
    {"rank 3 -1\n", "m: line 3: " RANK_WRONG},
    {"rank 3 4 \n", "m: line 3: " RANK_WRONG},
    {"rank 18446744073709551616 -\n", "m: line 3: " RANK_WRONG},
};

TEST_ROWS(damaged, wrong)
{
    struct fault fault = {0};
    struct profile profile = {0};
    char *text;
    int size =
        asprintf(&text, "ccprof mlmon 5\nkind time\n%s" REST POINTS, wrong[_i].lines);
    ck_assert(!mlmon_parse(&profile, "m", text, (size_t)size, &fault));
    ck_assert_str_eq(fault.text, wrong[_i].what);
    ck_assert_int_eq(fault.kind, FAULT_GARBLED);
    ck_assert_uint_eq(profile.origins.count, 0);
    fault_clear(&fault);
    free(text);
}

/* Before version 5 there are no such lines.  */
TEST(of_version_4)
{
    static const char text[] = "ccprof mlmon 4\nkind time\nhost n\n" REST POINTS;
    struct fault fault = {0};
    struct profile profile = {0};
    ck_assert(!mlmon_parse(&profile, "m", text, strlen(text), &fault));
    ck_assert_str_eq(fault.text, "m: line 3: it should be `engine' and one word");
    fault_clear(&fault);
}

/* ENTRY is of a profile's point at ADDRESS.  */
static void assert_share(const struct profile *profile, const struct shares_entry *entry,
                         uint64_t address, uint32_t part, uint64_t count)
{
    ck_assert_uint_eq(profile->nodes[entry->owner].address, address);
    ck_assert_uint_eq(entry->bin, part);
    ck_assert_uint_eq(entry->count, count);
}

static void fold(struct profile *sum, struct profile *from, bool keep)
{
    struct fault fault = {0};
    if (keep)
        profile_keep_origins(from);
    if (!profile_fold(sum, from, "file", &fault))
        ck_abort_msg("%s", fault.text);
}

/* Two ranks, one of them with two files, its child's; the second has another point.  */
TEST(merged)
{
    struct profile sum = {0}, one = parse("host a\nrank 1 2\n", POINTS),
                   two = parse("host b\nrank 0 2\n",
                               "counts 2\n0 0 0x1 7\n0 0 0x3 2\nend\n"),
                   child = parse("host a\nrank 1 -\n", POINTS);
    fold(&sum, &one, true);
    fold(&sum, &two, true);
    fold(&sum, &child, true);
    ck_assert(sum.origins.kept);
    ck_assert_uint_eq(sum.origins.count, 2);
    assert_origin(&sum, 0, "a", true, 1, 2);
    assert_origin(&sum, 1, "b", true, 0, 2);
    ck_assert_uint_eq(sum.origins.origins[0].files, 2);
    ck_assert_uint_eq(sum.origins.origins[0].cpu, 100);
    ck_assert_uint_eq(sum.origins.origins[1].samples, 10);
    packed_sort(&sum.origins.shares);
    struct shares scratch = {0};
    struct shares_own own = packed_of(&sum.origins.shares, 0, &scratch);
    ck_assert_uint_eq(own.count, 2);
    assert_share(&sum, &own.entries[0], 1, 0, 8);
    assert_share(&sum, &own.entries[1], 1, 1, 7);
    own = packed_of(&sum.origins.shares, 1, &scratch);
    ck_assert_uint_eq(own.count, 1);
    assert_share(&sum, &own.entries[0], 2, 0, 10);
    own = packed_of(&sum.origins.shares, 2, &scratch);
    ck_assert_uint_eq(own.count, 1);
    assert_share(&sum, &own.entries[0], 3, 1, 2);
    shares_free(&scratch);
    profile_free(&sum);
}

/* Shares are told of all samples or of none; the same rank elsewhere is another origin.
 */
TEST(not_all_kept)
{
    struct profile sum = {0}, one = parse("host a\nrank 1 2\n", POINTS),
                   two = parse("host b\nrank 1 2\n", POINTS);
    fold(&sum, &one, true);
    fold(&sum, &two, false);
    ck_assert_uint_eq(sum.origins.count, 2);
    ck_assert(!sum.origins.kept);
    profile_free(&sum);
}

/* A file that does not belong to the others leaves no origin.  */
TEST(left_out)
{
    struct fault fault = {0};
    struct profile sum = {0}, one = parse("host a\nrank 1 2\n", POINTS),
                   two = parse("host b\nrank 0 2\n", POINTS);
    fold(&sum, &one, true);
    two.rate = 7;
    profile_keep_origins(&two);
    ck_assert(!profile_fold(&sum, &two, "file", &fault));
    ck_assert_uint_eq(sum.origins.count, 1);
    ck_assert(sum.origins.kept);
    fault_clear(&fault);
    profile_free(&sum);
}
