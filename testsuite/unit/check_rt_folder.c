/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/output/slice.c rt/os/file.c rt/os/memory.c rt/os/lock.c
   testsuite/unit/standins.c */
/* The names of data files in a folder, and the size limit of a folder. */

#include "rt_tests.h"
#include <sys/file.h>

#include "rt/output/slice.h"

#define TIME 1100000000000000000u

static const struct {
    const char *name;
    uint64_t time;
    bool unfinished;
} names[] = {
    {"prog.1.1100000000000000000.mlmon", TIME, false},
    {"a.b.17.1100000000000000000.mlmon", TIME, false},
    {"prog.1.1100000000000000000.mlmon.1.tmp", TIME, true},
    {"prog.1.110000000000000000.mlmon", 0, false},
    {"prog.1.11000000000000000000.mlmon", 0, false},
    {"prog.1x.1100000000000000000.mlmon", 0, false},
    {"prog..1100000000000000000.mlmon", 0, false},
    {".1.1100000000000000000.mlmon", 0, false},
    {"1100000000000000000.mlmon", 0, false},
    {"prog.1.1100000000000000000.mlmon.tmp", 0, true},
    {"", 0, false},
};

TEST(test_names)
{
    for (size_t i = 0; i < LENGTH(names); i++) {
        bool unfinished;
        ck_assert_uint_eq(ccprof_slice_file_time(names[i].name, &unfinished),
                          names[i].time);
        if (names[i].time)
            ck_assert_int_eq(unfinished, names[i].unfinished);
    }
}

#define SIZE 100
static uint64_t each; /* the space that each of these files takes */

/* The name of a data file. Lower numbers are older files. */
static const char *path(unsigned number)
{
    static char name[64];

    snprintf(name, sizeof name, "folder/p.%u.%llu.mlmon", number + 1,
             (unsigned long long)TIME + number);
    return name;
}

static void file(unsigned number)
{
    char text[SIZE + 1] = "ccprof mlmon 1\n";

    memset(text + strlen(text), 'x', SIZE - strlen(text));
    file_write(path(number), text);
}

/* Makes a new folder with this number of files. */
static void make_folder(unsigned files)
{
    ck_assert_int_eq(system("rm -rf folder"), 0);
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    for (unsigned i = 0; i < files; i++)
        file(i);
}

static void setup(void)
{
    struct stat status;

    make_folder(1);
    ck_assert_int_eq(stat(path(0), &status), 0);
    each = (uint64_t)status.st_blocks * 512;
    each = each > SIZE ? each : SIZE;
}

static bool bound(uint64_t most)
{
    return ccprof_slice_limit_folder("folder", "", most);
}

static bool is_there(unsigned number)
{
    return access(path(number), F_OK) == 0;
}

/* Checks that only the files from FROM to END - 1 exist. */
static void assert_left(unsigned files, unsigned from, unsigned end)
{
    for (unsigned i = 0; i < files; i++)
        ck_assert_msg(is_there(i) == (i >= from && i < end), "%u", i);
}

/* There are more files than one scan removes, made in another order. */
TEST(test_oldest)
{
    make_folder(0);
    for (unsigned i = 0; i < 200; i++)
        file(i * 77 % 200);
    ck_assert(!bound(200 * each));
    ck_assert(is_there(0));
    ck_assert(bound(200 * each - 1));
    assert_left(200, 1, 200);
    /* One call does not remove everything, because a thread of the program executes
       it. */
    ck_assert(bound(5 * each + each / 2));
    ck_assert(!is_there(100) && is_there(190));
    ck_assert(bound(5 * each + each / 2));
    assert_left(200, 195, 200);
    ck_assert(bound(0));
    ck_assert(!is_there(199));
}

/* The oldest files do not belong to the runtime, and they are more than a scan remembers.
   They stay and do not count. Empty files with such names are removed. */
TEST(test_others)
{
    make_folder(300);
    for (unsigned i = 0; i < 110; i++)
        ck_assert_int_eq(truncate(path(i), i < 100 ? 3 : 0), 0);
    for (int i = 0; i < 10; i++)
        bound(10 * each);
    for (unsigned i = 0; i < 300; i++)
        ck_assert_int_eq(is_there(i), i < 100 || i >= 290);
}

/* Files written by a clock that was years ahead are treated as the oldest files, because
   their day is unknown. */
TEST(test_ahead)
{
    static const char first[] = "folder/p.7.3000000000000000001.mlmon",
                      second[] = "folder/p.7.3000000000001000000.mlmon";

    make_folder(3);
    ck_assert_int_eq(rename(path(1), second), 0);
    ck_assert_int_eq(rename(path(2), first), 0);
    bound(2 * each);
    ck_assert(access(first, F_OK) != 0 && access(second, F_OK) == 0 && is_there(0));
    bound(each);
    ck_assert(access(second, F_OK) != 0 && is_there(0));
}

/* The file that was just written is kept, even if it is the oldest. A long file with
   holes counts with its full length. */
TEST(test_written)
{
    make_folder(3);
    ck_assert_int_eq(truncate(path(1), 1 << 20), 0);
    ck_assert(
        ccprof_slice_limit_folder("folder", "p.1.1100000000000000000.mlmon", 1 << 20));
    ck_assert(is_there(0) && !is_there(1) && is_there(2));
}

/* Only a process of root removes the files of other users. */
TEST(test_users)
{
    if (geteuid() != 0)
        return;
    make_folder(4);
    ck_assert_int_eq(chmod("folder", 0777), 0);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(chown(path(i), 65534, 65534), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(seteuid(65534) != 0 || !ccprof_slice_limit_folder("folder", "", each));
    child_end(child);
    assert_left(4, 1, 4);
    bound(each);
    assert_left(4, 3, 4);
}

TEST_AROUND(setup, NULL)
