/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/output/datafile.c rt/os/file.c rt/os/text.c rt/os/lock.c rt/os/proc.c */
/* The destination of a profile: a temporary file that replaces an older file, or a pipe.
   Files of other types are not changed. */

#include "rt_tests.h"
#include <sys/socket.h>
#include <sys/un.h>

#include "rt/os/file.h"
#include "rt/output/datafile.h"

static const char *wrong; /* the file that caused the error */

/* Writes "new" as rt/output/mlmon.c writes profiles. Returns 0 or errno. */
static int write_to(const char *path)
{
    struct ccprof_file file;
    const char *temporary;

    if (!ccprof_datafile_open(&file, path, &temporary, &wrong))
        return errno;
    ck_assert_int_eq(ccprof_file_write(&file, "new", 3), 3);
    ck_assert_int_eq(ccprof_file_close(&file), 0);
    return temporary && rename(temporary, path) != 0 ? errno : 0;
}

/* The temporary name is in use: first a file of a killed process, then a folder. The
   folder cannot be removed, so another name is used. */
TEST(test_left_over)
{
    char temporary[64];
    sprintf(temporary, "out.%d.tmp", getpid());
    file_write(temporary, "old, and longer");
    ck_assert_int_eq(write_to("out"), 0);
    assert_content("out", "new");
    ck_assert_int_ne(access(temporary, F_OK), 0);
    unlink("out");
    ck_assert_int_eq(mkdir(temporary, 0700), 0);
    ck_assert_int_eq(write_to("out"), 0);
    ck_assert_int_eq(rmdir(temporary), 0);
    assert_content("out", "new");
    unlink("out");
}

static void assert_refused(const char *path)
{
    struct stat before, after;
    ck_assert_int_eq(lstat(path, &before), 0);
    ck_assert_int_eq(write_to(path), CCPROF_DATAFILE_REFUSED);
    ck_assert_str_eq(wrong, path);
    ck_assert_int_eq(lstat(path, &after), 0);
    ck_assert_uint_eq(before.st_ino, after.st_ino);
}

/* Makes a symbolic link, and removes an old one. */
static const char *link_to(const char *file)
{
    unlink("link");
    ck_assert_int_eq(symlink(file, "link"), 0);
    return "link";
}

/* Devices and sockets are not written to, directly or through a link. A link is not
   followed; a link to a device or socket is replaced by a file. */
TEST(test_not_a_file)
{
    struct sockaddr_un name = {AF_UNIX, "socket"};
    struct stat status;
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
    close(fd);
    assert_refused("socket");
    assert_refused("/dev/full");
    assert_refused(link_to("/dev/full"));
    assert_refused(link_to("/proc/self/exe"));
    ck_assert_int_eq(write_to(link_to(".")), EISDIR);
    file_write("victim", "precious");
    ck_assert_int_eq(write_to(link_to("victim")), 0);
    assert_content("victim", "precious");
    ck_assert_int_eq(lstat("link", &status), 0);
    ck_assert(S_ISREG(status.st_mode));
    unlink("socket");
    unlink("link");
    unlink("victim");
}

/* The writer does not wait for a reader. Pipes of other users get nothing. */
TEST(test_pipe)
{
    char got[10];
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    ck_assert_int_eq(write_to("pipe"), ENXIO);
    int fd = open("pipe", O_RDONLY | O_NONBLOCK);
    ck_assert_int_eq(write_to("pipe"), 0);
    ck_assert_int_eq(read(fd, got, sizeof got), 3);
    if (getuid() == 0) {
        ck_assert_int_eq(chown("pipe", 1, 1), 0);
        assert_refused("pipe");
    }
    assert_refused(link_to("pipe"));
    close(fd);
    unlink("link");
    unlink("pipe");
}

static atomic_bool written_enough;

/* Changes by the owner of the folder: the name alternates between a pipe and a link. */
static void *swap(void *unused)
{
    while (!written_enough) {
        mkfifo("new", 0600);
        rename("new", "out");
        ck_assert_int_eq(symlink("victim", "new"), 0);
        rename("new", "out");
    }
    return NULL;
}

TEST(test_swapped)
{
    pthread_t swapper;
    file_write("victim", "precious");
    threads_begin(&swapper, 1, swap, NULL, 0);
    for (int i = 0; i < 3000; i++)
        write_to("out");
    written_enough = true;
    threads_end(&swapper, 1);
    assert_content("victim", "precious");
    unlink("victim");
    unlink("out");
}
