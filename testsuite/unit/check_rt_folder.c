/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/os/file.c */
/* links: rt/process/folder.c rt/os/pages.c */
/* The names of data files in a folder, and the bound of a folder.  */

#include "rt_tests.h"
#include <sys/file.h>

#include "rt/process/folder.h"

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

TEST(test_names)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool unfinished;
        ck_assert_uint_eq(ccprof_folder_time(names[i].name, &unfinished), names[i].time);
        if (names[i].time)
            ck_assert_int_eq(unfinished, names[i].unfinished);
    }
}

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

/* What each of these files takes here.  */
#define SIZE 100

static uint64_t taken(void)
{
    struct stat status;

    file(999, SIZE);
    ck_assert_int_eq(stat("folder/p.1000.1100000000000000999.mlmon", &status), 0);
    ck_assert_int_eq(unlink("folder/p.1000.1100000000000000999.mlmon"), 0);
    return (uint64_t)status.st_blocks * 512 > SIZE ? (uint64_t)status.st_blocks * 512
                                                   : SIZE;
}

static bool bound(uint64_t most)
{
    return ccprof_folder_bound("folder", "", most);
}

/* More than are removed after one look, made in another order.  */
TEST(test_oldest)
{
    uint64_t each = taken();

    for (unsigned i = 0; i < 200; i++)
        file(i * 77 % 200, SIZE);
    ck_assert(!bound(200 * each));
    ck_assert(is_there(0));
    ck_assert(bound(200 * each - 1));
    ck_assert(!is_there(0) && is_there(1));
    /* Not all in one call: a thread of the program does it.  */
    ck_assert(bound(5 * each + each / 2));
    ck_assert(!is_there(100) && is_there(190));
    ck_assert(bound(5 * each + each / 2));
    for (unsigned i = 0; i < 200; i++)
        ck_assert_int_eq(is_there(i), i >= 195);
    ck_assert(bound(0));
    ck_assert(!is_there(199));
}

/* A short file takes a page, a long one with holes is as long as it is.  */
TEST(test_taken)
{
    uint64_t each = taken();

    file(0, SIZE);
    file(1, SIZE);
    ck_assert_int_eq(truncate("folder/p.2.1100000000000000001.mlmon", 1 << 20), 0);
    ck_assert(!bound((1 << 20) + each));
    ck_assert(bound((1 << 20) + each - 1));
    ck_assert(!is_there(0) && is_there(1));
}

/* More of them than a look remembers are the oldest, and stay, and do not count; empty
   ones of that name go.  */
TEST(test_others)
{
    char name[64];
    uint64_t each = taken();

    for (unsigned i = 0; i < 300; i++) {
        file(i, SIZE);
        snprintf(name, sizeof name, "folder/p.%u.%llu.mlmon", i + 1,
                 (unsigned long long)TIME + i);
        if (i < 100)
            ck_assert_int_eq(truncate(name, 3), 0);
        else if (i < 110)
            ck_assert_int_eq(truncate(name, 0), 0);
    }
    for (int i = 0; i < 10; i++)
        bound(10 * each);
    for (unsigned i = 0; i < 300; i++)
        ck_assert_int_eq(is_there(i), i < 100 || i >= 290);
}

/* By a clock that was years ahead, from which day nobody knows: before all others.  */
TEST(test_ahead)
{
    static const char first[] = "folder/p.7.3000000000000000001.mlmon",
                      second[] = "folder/p.7.3000000000001000000.mlmon";
    uint64_t each = taken();

    for (unsigned i = 0; i < 3; i++)
        file(i, SIZE);
    ck_assert_int_eq(rename("folder/p.2.1100000000000000001.mlmon", second), 0);
    ck_assert_int_eq(rename("folder/p.3.1100000000000000002.mlmon", first), 0);
    bound(2 * each);
    ck_assert(access(first, F_OK) != 0 && access(second, F_OK) == 0 && is_there(0));
    bound(each);
    ck_assert(access(second, F_OK) != 0 && is_there(0));
}

/* What has just been written stays, whatever time it tells.  */
TEST(test_written)
{
    uint64_t each = taken();

    for (unsigned i = 0; i < 3; i++)
        file(i, SIZE);
    ck_assert(ccprof_folder_bound("folder", "p.1.1100000000000000000.mlmon", each));
    ck_assert(is_there(0) && !is_there(1) && !is_there(2));
}

/* Of another user only what root's process finds.  */
TEST(test_users)
{
    uint64_t each = taken();
    int status;

    if (geteuid() != 0)
        return;
    for (unsigned i = 0; i < 4; i++)
        file(i, SIZE);
    ck_assert_int_eq(chmod("folder", 0777), 0);
    ck_assert_int_eq(chown("folder/p.1.1100000000000000000.mlmon", 65534, 65534), 0);
    ck_assert_int_eq(chown("folder/p.2.1100000000000000001.mlmon", 65534, 65534), 0);
    if (fork() == 0)
        _exit(seteuid(65534) != 0 || !ccprof_folder_bound("folder", "", each));
    ck_assert_int_ge(wait(&status), 0);
    ck_assert_int_eq(status, 0);
    ck_assert(!is_there(0) && is_there(1) && is_there(2) && is_there(3));
    bound(each);
    ck_assert(!is_there(1) && !is_there(2) && is_there(3));
}

TEST(test_locked)
{
    uint64_t each = taken();
    int fd = open("folder", O_RDONLY | O_DIRECTORY);

    ck_assert_int_ge(fd, 0);
    file(0, SIZE);
    file(1, SIZE);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    ck_assert(!bound(each));
    ck_assert(is_there(0));
    close(fd);
    ck_assert(bound(each));
    ck_assert(!is_there(0) && is_there(1));
    ck_assert(!ccprof_folder_bound("nowhere", "", each));
}

TEST_MAIN(setup, NULL)
