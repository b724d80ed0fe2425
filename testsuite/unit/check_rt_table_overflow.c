/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/table/table.c rt/table/tree.c rt/table/overflow.c rt/os/overflow-file.c */
/* links: rt/os/blocked.c testsuite/unit/stacks.c testsuite/unit/table_fixture.c */
/* The overflow log's file: where it cannot grow or be opened, and where the program takes
   it away.  */

#define _GNU_SOURCE
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runner.h"
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

/* The overflow log's file cannot grow beyond a limit: what does not fit is counted, and
   no signal is left behind.  */
START_TEST(test_limit)
{
    /* A whole number of stacks, three words each, and not.  */
    limited(RLIMIT_FSIZE, 240000 + (rlim_t)_i, add_many);
    ck_assert_uint_le(shard->filed, 240000 / 8);
    ck_assert_uint_gt(shard->filed, 240000 / 8 - 4);
    balance(50000);
}
END_TEST

/* No descriptor is to be had.  */
START_TEST(test_no_file)
{
    limited(RLIMIT_NOFILE, 0, add_many);
    ck_assert(!shard->file.open);
    balance(80000);
}
END_TEST

/* The program closes all its descriptors, and opens files of its own.  */
START_TEST(test_file_taken)
{
    char name[] = "taken-XXXXXX", byte;
    for (uint64_t i = 0; i < 150000; i++)
        add(i, 1);
    uint64_t filed = shard->filed_sum;
    ck_assert_uint_gt(filed, 0);
    int other = mkstemp(name);
    ck_assert_int_eq(dup2(other, shard->file.fd), shard->file.fd);
    for (uint64_t i = 150000; i < 200000; i++)
        add(i, 1);
    ck_assert_int_eq(pread(other, &byte, 1, 0), 0);
    unlink(name);
    balance(filed);
    ck_assert_uint_eq(table->lost, filed);
}
END_TEST

/* ... and no sample comes after it.  */
START_TEST(test_file_taken_late)
{
    add_many();
    close(shard->file.fd);
    ccprof_table_freeze(table);
    ccprof_overflow_freeze(overflow_);
    ck_assert_int_eq(ccprof_overflow_each(overflow_, stacks_visit, &got), -1);
    ck_assert_int_eq(errno, EBADF);
    ck_assert_uint_eq(got.points, shard->used / 3);
}
END_TEST

/* Somebody cuts the file off.  */
START_TEST(test_file_cut)
{
    add_many();
    ck_assert_int_eq(ftruncate(shard->file.fd, 8000), 0);
    ccprof_table_freeze(table);
    ccprof_overflow_freeze(overflow_);
    ck_assert_int_eq(ccprof_overflow_each(overflow_, stacks_visit, &got), -1);
    ck_assert_int_eq(errno, EIO);
    stacks_part_of(&got, &want);
}
END_TEST

/* The file stays out of the program's way and is not passed on.  */
START_TEST(test_descriptor)
{
    int first = dup(0);
    close(first);
    add_many();
    ck_assert(shard->file.open);
    ck_assert_int_ge(shard->file.fd, 500);
    ck_assert_int_eq(fcntl(shard->file.fd, F_GETFD), FD_CLOEXEC);
    int second = dup(0);
    ck_assert_int_eq(second, first);
    close(second);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rt table overflow");
    TCase *tests = tcase_create("table");
    tcase_add_checked_fixture(tests, table_setup, table_teardown);
    tcase_add_loop_test(tests, test_limit, 0, 2);
    tcase_add_test(tests, test_no_file);
    tcase_add_test(tests, test_file_taken);
    tcase_add_test(tests, test_file_taken_late);
    tcase_add_test(tests, test_file_cut);
    tcase_add_test(tests, test_descriptor);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
