/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/datafiles.c mlprof.a -lelf -lz -lm */
/* The data file: bytes that are not text, unreadable files, and a large file. (Each line
   of the format: datafiles-*.txt.) */

#define _GNU_SOURCE
#include "mlprof/profile/mlmon.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/datafiles.h"

TEST(no_text)
{
    struct fault fault = {0};
    struct profile profile = {0};
    char *text = datafiles_text("samples");
    size_t size = strlen(text);
    *strstr(text, "my prog") = '\0';
    ck_assert(!mlmon_parse(&profile, "m", text, size, &fault));
    ck_assert_str_eq(
        fault.text,
        "m: line 14: it should be `module' and a number, a build-id, a bias, a path");
    fault_clear(&fault);
    free(text);
}

TEST(files)
{
    struct fault fault = {0};
    struct profile profile = {0};
    ck_assert(!mlmon_read(&profile, ".", &fault));
    ck_assert_str_eq(fault.text, ".: Is a directory");
    fault_clear(&fault);
    /* A file without an end. */
    ck_assert(!mlmon_read(&profile, "/dev/zero", &fault));
    ck_assert_str_eq(fault.text, "/dev/zero: line 1: not a data file of ccprof");
    fault_clear(&fault);
}

TEST(many_points_and_great_depth)
{
    enum { POINTS_COUNT = 200000 };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out,
            "ccprof mlmon 1\nkind time\nengine task-clock\nclock cpu\nrate 100\n"
            "stack yes\ncpu 0\nwall 0\nthreads 1\nwaits 0\nsamples %d\nlost 0\n"
            "elsewhere 0\nmodule 0 - 0x0 p\ncounts %d\n",
            POINTS_COUNT, POINTS_COUNT);
    for (int i = 0; i < POINTS_COUNT; i++)
        fprintf(out, "%d 0 0x%x 1\n", i, i);
    fputs("end\n", out);
    fclose(out);
    struct profile profile = {0};
    struct fault fault = {0};
    ck_assert(mlmon_parse(&profile, "m", text, size, &fault));
    ck_assert_uint_eq(profile.nodes.count, POINTS_COUNT);
    ck_assert_uint_eq(profile.nodes.list[POINTS_COUNT - 1].parent, POINTS_COUNT - 2);
    profile_free(&profile);
    free(text);
}
