/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/process/folder.c rt/os/pages.c */
/* The names of data files in a folder, and the bound of a folder.  */

#define _GNU_SOURCE
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/process/folder.h"
#include "runner.h"

#define TIME 1100000000000000000u

static const struct {
    const char *name;
    uint64_t time;
    bool unfinished;
} names[] = {
    {"prog.1.1100000000000000000.mlmon", TIME, false},
    {"a.b.17.1100000000000000000.mlmon", TIME, false},
    {"7.7.1100000000000000000.mlmon", TIME, false},
    {"prog.1.1100000000000000000.mlmon.1.tmp", TIME, true},
    {"prog.1.110000000000000000.mlmon", 0, false},
    {"prog.1.11000000000000000000.mlmon", 0, false},
    {"prog.1x.1100000000000000000.mlmon", 0, false},
    {"prog..1100000000000000000.mlmon", 0, false},
    {".1.1100000000000000000.mlmon", 0, false},
    {"1.1100000000000000000.mlmon", 0, false},
    {"1100000000000000000.mlmon", 0, false},
    {"prog.1.1100000000000000000.mlmon.bak", 0, false},
    {"prog.1.1100000000000000000.mlmon.tmp", 0, true},
    {"prog.1.1100000000000000000mlmon", 0, false},
    {".mlmon", 0, false},
    {".tmp", 0, false},
    {"mlmon.out", 0, false},
    {"", 0, false},
};

START_TEST(test_names)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool unfinished;
        ck_assert_uint_eq(ccprof_folder_time(names[i].name, &unfinished), names[i].time);
        if (names[i].time)
            ck_assert_int_eq(unfinished, names[i].unfinished);
    }
}
END_TEST

static void file(unsigned number, size_t size)
{
    char name[64];
    FILE *to;

    snprintf(name, sizeof name, "folder/p.%u.%llu.mlmon", number + 1,
             (unsigned long long)TIME + number);
    to = fopen(name, "w");
    ck_assert_ptr_nonnull(to);
    fputs("ccprof mlmon 1\n", to);
    for (size_t i = 15; i < size; i++)
        fputc('x', to);
    ck_assert_int_eq(fclose(to), 0);
}

static bool is_there(unsigned number)
{
    char name[64];

    snprintf(name, sizeof name, "folder/p.%u.%llu.mlmon", number + 1,
             (unsigned long long)TIME + number);
    return access(name, F_OK) == 0;
}

static void setup(void)
{
    ck_assert_int_eq(system("rm -rf folder"), 0);
    ck_assert_int_eq(mkdir("folder", 0777), 0);
}

/* More than are removed after one look, made in another order.  */
START_TEST(test_oldest)
{
    for (unsigned i = 0; i < 200; i++)
        file(i * 77 % 200, 100);
    ccprof_folder_bound("folder", 20000);
    ck_assert(is_there(0));
    ccprof_folder_bound("folder", 19999);
    ck_assert(!is_there(0) && is_there(1));
    ccprof_folder_bound("folder", 550);
    for (unsigned i = 0; i < 200; i++)
        ck_assert_int_eq(is_there(i), i >= 195);
    ccprof_folder_bound("folder", 50);
    for (unsigned i = 0; i < 200; i++)
        ck_assert_int_eq(is_there(i), i == 199);
}
END_TEST

START_TEST(test_locked)
{
    int fd = open("folder", O_RDONLY | O_DIRECTORY);

    ck_assert_int_ge(fd, 0);
    file(0, 100);
    file(1, 100);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    ccprof_folder_bound("folder", 100);
    ck_assert(is_there(0));
    close(fd);
    ccprof_folder_bound("folder", 100);
    ck_assert(!is_there(0) && is_there(1));
    ccprof_folder_bound("nowhere", 100);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rt folder");
    TCase *tests = tcase_create("all");

    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, test_names);
    tcase_add_test(tests, test_oldest);
    tcase_add_test(tests, test_locked);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
