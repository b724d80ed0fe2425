/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/os/file.c rt/os/lock.c */
/* The program closes the descriptors of the runtime's files or uses their numbers for its
   own files. The runtime must not write, read or close files of the program. */

#include "rt_tests.h"
#include "rt/os/file.h"

#include <sys/resource.h>

static struct ccprof_file file;
static char name[20], other[20];

static void make(char *to)
{
    strcpy(to, "file-XXXXXX");
    int fd = mkstemp(to);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, "start", 5), 5);
    ck_assert_int_eq(close(fd), 0);
}

static void setup(void)
{
    make(name);
    make(other);
    ck_assert(ccprof_file_open(&file, AT_FDCWD, name, O_RDWR, 0));
}

static void teardown(void)
{
    unlink(name);
    unlink(other);
}

static off_t size_of(const char *path)
{
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_size;
}

/* The number is closed, or belongs to another file. */
TEST_TIMES(test_taken, 2)
{
    int fd = file.fd, theirs = _i ? open(other, O_RDWR) : -1;
    char byte;

    if (_i)
        ck_assert_int_eq(dup2(theirs, fd), fd);
    else
        close(fd);
    ck_assert(!ccprof_file_is_open(&file));
    ck_assert_int_eq(ccprof_file_write(&file, "x", 1), -1);
    ck_assert_int_eq(errno, EBADF);
    ck_assert_int_eq(ccprof_file_read(&file, &byte, 1, 0), -1);
    ck_assert_int_eq(ccprof_file_close(&file), -1);
    ck_assert_int_eq(errno, EBADF);
    if (_i)
        ck_assert_int_eq(fcntl(fd, F_GETFD), 0);
    ck_assert_int_eq(size_of(name), 5);
    ck_assert_int_eq(size_of(other), 5);
}

/* The numbers of the standard streams are free and stay free. */
TEST(test_above_streams)
{
    close(0);
    ccprof_file_close(&file);
    ck_assert(ccprof_file_open(&file, AT_FDCWD, name, O_RDONLY, 0));
    ck_assert_int_gt(file.fd, 2);
    ck_assert_int_eq(fcntl(file.fd, F_GETFD), FD_CLOEXEC);
    ck_assert_int_eq(fcntl(0, F_GETFD), -1);
}

/* If only one number is free, the file gets it. */
TEST(test_last_number)
{
    pid_t child = fork();

    /* Check's own assertions also need a number. */
    if (child == 0) {
        struct rlimit limit = {3, 3};
        bool right = close_range(3, ~0u, 0) == 0 && setrlimit(RLIMIT_NOFILE, &limit) == 0;
        right = right && !ccprof_file_open(&file, AT_FDCWD, name, O_RDONLY, 0) &&
                errno == EMFILE;
        close(0);
        right =
            right && ccprof_file_open(&file, AT_FDCWD, name, O_RDONLY, 0) && file.fd == 0;
        _exit(!right);
    }
    child_end(child);
}

static atomic_bool done;

static void *complain(void *unused)
{
    while (!done)
        if (write(STDERR_FILENO, "x", 1) >= 0)
            return (void *)"a file was written to";
    return unused;
}

/* Another thread writes to the standard error, which is closed. */
TEST(test_written_to)
{
    pthread_t thread;
    int before = dup(STDERR_FILENO);

    close(STDERR_FILENO);
    threads_begin(&thread, 1, complain, NULL, 1);
    for (int i = 0; i < 5000; i++) {
        ccprof_file_close(&file);
        MUST(ccprof_file_open(&file, AT_FDCWD, name, O_RDWR, 0));
    }
    done = true;
    threads_end(&thread, 1);
    dup2(before, STDERR_FILENO);
    ck_assert_int_eq(size_of(name), 5);
}

TEST_AROUND(setup, teardown)
