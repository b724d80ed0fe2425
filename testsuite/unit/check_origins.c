/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Where files were written: version 5 of the data file, and which samples of several
   files merged are of which rank.  */

#define _GNU_SOURCE
#include "mlprof/profile/mlmon.h"
#include "testsuite/unit/shares_text.h"
#include "testsuite/unit/tests.h"

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

/* An origin: its rank and their number, if it is of one, and its host.  */
static void assert_origin(const struct profile *profile, uint32_t number,
                          const char *expected)
{
    ck_assert_uint_lt(number, profile->origins.count);
    const struct origins_origin *origin = &profile->origins.origins[number];
    FILE *out = print_begin();
    ck_assert(origin->ranked || (origin->rank == 0 && origin->size == 0));
    if (origin->ranked)
        fprintf(out, "%" PRIu64 " of %" PRIu64 " ", origin->rank, origin->size);
    const char *host = origins_host(&profile->origins, number);
    fputs(host ? host : "?", out);
    print_end(out, expected);
}

static const struct {
    const char *lines, *origin;
} told[] = {
    {"host node\\\\ 7\nrank 3 40\n", "3 of 40 node\\ 7"},
    {"command p\nhost n\nrank 0 -\n", "0 of 0 n"},
    {"rank 3 40\n", "3 of 40 ?"},
    {"", "?"},
};

TEST_ROWS(one_file, told)
{
    struct profile profile = parse(told[_i].lines, POINTS);
    ck_assert_uint_eq(profile.origins.count, 1);
    assert_origin(&profile, 0, told[_i].origin);
    const struct origins_origin *origin = &profile.origins.origins[0];
    ck_assert_uint_eq(origin->cpu, 50);
    ck_assert_uint_eq(origin->wall, 70);
    ck_assert_uint_eq(origin->samples, 10);
    ck_assert_uint_eq(origin->lost, 1);
    ck_assert_uint_eq(origin->files, 1);
    ck_assert_int_eq(origins_ranks(&profile.origins), origin->ranked);
    profile_free(&profile);
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
    assert_origin(&sum, 0, "1 of 2 a");
    assert_origin(&sum, 1, "0 of 2 b");
    ck_assert_uint_eq(sum.origins.origins[0].files, 2);
    ck_assert_uint_eq(sum.origins.origins[0].cpu, 100);
    ck_assert_uint_eq(sum.origins.origins[1].samples, 10);
    packed_sort(&sum.origins.shares);
    /* Points at 1, 2 and 3.  */
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(sum.nodes[i].address, i + 1);
    assert_owner(&sum.origins.shares, 0, "0.0=8 0.1=7");
    assert_owner(&sum.origins.shares, 1, "1.0=10");
    assert_owner(&sum.origins.shares, 2, "2.1=2");
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
