/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The ranks of the samples of several merged files. */

#define _GNU_SOURCE
#include "mlprof/profile/mlmon.h"
#include "testsuite/unit/shares_text.h"
#include "testsuite/unit/tests.h"

/* Makes a file with these numbers of samples at the addresses 1, 2 and 3. */
static struct profile parse(const char *origin, int first, int second, int third)
{
    struct fault fault = {0};
    struct profile profile = {0};
    char *text;
    int size = asprintf(&text,
                        "ccprof mlmon 5\nkind time\n%sengine task-clock\nclock cpu\n"
                        "rate 100\nstack yes\ncpu 50\nwall 70\nthreads 1\nwaits 0\n"
                        "samples 10\nlost 1\nelsewhere 0\nmodule 0 - 0x0 p\ncounts 3\n"
                        "0 0 0x1 %d\n0 0 0x2 %d\n0 0 0x3 %d\nend\n",
                        origin, first, second, third);
    if (!mlmon_parse(&profile, "m", text, (size_t)size, &fault))
        ck_abort_msg("%s", fault.text);
    free(text);
    return profile;
}

static void assert_origin(const struct profile *sum, uint32_t number, uint64_t rank,
                          const char *host, uint64_t files)
{
    const struct origins_origin *origin = &sum->origins.origins[number];
    ck_assert_uint_eq(origin->rank, rank);
    ck_assert_uint_eq(origin->size, 2);
    ck_assert_str_eq(origins_host(&sum->origins, number), host);
    ck_assert_uint_eq(origin->files, files);
    ck_assert_uint_eq(origin->cpu, 50 * files);
    ck_assert_uint_eq(origin->wall, 70 * files);
    ck_assert_uint_eq(origin->samples, 10 * files);
    ck_assert_uint_eq(origin->lost, files);
}

/* Two ranks. One of them has two files, of a process and its child. */
TEST(merged)
{
    struct fault fault = {0};
    struct profile sum = {0},
                   files[] = {parse("host a\nrank 1 2\n", 4, 5, 0),
                              parse("host b\nrank 0 2\n", 7, 0, 2),
                              parse("host a\nrank 1 -\n", 4, 5, 0)},
                   other = parse("host c\nrank 3 4\n", 1, 2, 6),
                   unkept = parse("host b\nrank 1 2\n", 4, 5, 0);
    for (size_t i = 0; i < LENGTH(files); i++) {
        profile_keep_origins(&files[i]);
        ck_assert(profile_fold(&sum, &files[i], "file", &fault));
    }
    /* A file that cannot be added to the others leaves no origin. */
    other.sampling.rate = 7;
    profile_keep_origins(&other);
    ck_assert(!profile_fold(&sum, &other, "file", &fault));
    fault_clear(&fault);
    ck_assert(sum.origins.kept);
    ck_assert_uint_eq(sum.origins.count, 2);
    assert_origin(&sum, 0, 1, "a", 2);
    assert_origin(&sum, 1, 0, "b", 1);
    packed_sort(&sum.origins.shares);
    assert_owner(&sum.origins.shares, 0, "0.0=8 0.1=7");
    assert_owner(&sum.origins.shares, 1, "1.0=10");
    assert_owner(&sum.origins.shares, 2, "2.1=2");
    /* Shares are shown for all samples or for none. The same rank on another host is
       another origin. */
    ck_assert(profile_fold(&sum, &unkept, "file", &fault));
    ck_assert(!sum.origins.kept);
    ck_assert_uint_eq(sum.origins.count, 3);
    profile_free(&sum);
}
