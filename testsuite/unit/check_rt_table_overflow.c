/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/table/table.c rt/table/tree.c rt/table/overflow.c rt/os/overflow-file.c */
/* links: rt/os/blocked.c testsuite/unit/stacks.c testsuite/unit/table_fixture.c */
/* The overflow log's files: several of them, where none can be made, and that none has a
   descriptor.  */

#include "rt_tests.h"
#include <sys/resource.h>

#include "table_fixture.h"

/* Only for as long as samples are added: Check itself writes files.  */
static void limited(int what, rlim_t limit, void (*action)(void))
{
    struct rlimit before, now;
    ck_assert_int_eq(getrlimit(what, &before), 0);
    now = before;
    now.rlim_cur = limit;
    ck_assert_int_eq(setrlimit(what, &now), 0);
    action();
    ck_assert_int_eq(setrlimit(what, &before), 0);
}

static void add_many(void)
{
    for (uint64_t i = 0; i < 200000; i++)
        add(i, 1);
}

/* A limit on the size of files, so that none can be made, or the first alone; and no
   descriptor to be had.  What does not fit is counted, and no signal is left behind.  */
TEST_TIMES(test_limit, 3)
{
    const uint64_t first = CCPROF_OVERFLOW_FILE_FIRST * 8;
    const rlim_t limits[] = {first / 2, first + first / 2, 0};
    const uint64_t filed = _i == 1 ? CCPROF_OVERFLOW_FILE_FIRST : 0;

    limited(_i < 2 ? RLIMIT_FSIZE : RLIMIT_NOFILE, limits[_i], add_many);
    ck_assert_uint_eq(shard->file.count, _i == 1);
    ck_assert_uint_le(shard->filed, filed);
    ck_assert_uint_gt(shard->filed + 4, filed);
    balance(80000);
}

/* What was never written cannot be read.  */
TEST(test_beyond)
{
    uint64_t word;

    add_many();
    ck_assert(ccprof_overflow_file_read(&shard->file, &word, 1, shard->file.size - 1));
    ck_assert(!ccprof_overflow_file_read(&shard->file, &word, 1, shard->file.size));
    ck_assert_int_eq(errno, EIO);
}

/* The process has no descriptor more, and nothing is lost in several files.  */
TEST(test_descriptor)
{
    bool open[4096];

    for (int i = 0; i < 4096; i++)
        open[i] = fcntl(i, F_GETFD) >= 0;
    add_many();
    ck_assert_uint_ge(shard->file.count, 3);
    for (int i = 0; i < 4096; i++)
        ck_assert_int_eq(fcntl(i, F_GETFD) >= 0, open[i]);
    all_there();
}

TEST_AROUND(table_setup, table_teardown)
