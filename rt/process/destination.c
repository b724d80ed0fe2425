/* SPDX-License-Identifier: MIT */
/* Opens the file or pipe for a profile.  Owns the temporary file's name.  Called where
   files are written: in any thread, handlers of fatal signals included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>

#include "rt/process/destination.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"

/* How many names are tried for the temporary file.  */
#define DESTINATION_TRIES 4

/* Not on the thread's stack, which may be small; one thread writes at a time.  */
static char temporary_name[PATH_MAX];

/* Moves the descriptor away from the numbers of the standard streams: if the program has
   closed one, other threads may still write to it.  What they have written to the file
   meanwhile is removed.  */
static int destination_move_up(int fd)
{
    int up;

    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    up = ccprof_sys_move_up(fd, STDERR_FILENO + 1);
    if (up == fd)
        return fd;
    syscall(SYS_ftruncate, up, 0);
    syscall(SYS_lseek, up, 0, SEEK_SET);
    return up;
}

static int destination_name(const char *path, uint64_t number)
{
    struct ccprof_text text;

    ccprof_text_open(&text, temporary_name, sizeof temporary_name, -1);
    ccprof_text_string(&text, path);
    ccprof_text_char(&text, '.');
    ccprof_text_decimal(&text, number);
    ccprof_text_string(&text, ".tmp");
    return ccprof_text_end(&text);
}

/* Opens a new temporary file.  If its name is taken, the file was left by a process that
   had our number and was killed, and is removed.  If it cannot be removed, or is made
   again and again, the name gets the time instead of our number.  */
static int destination_open_new(const char *path, const char **wrong)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    uint64_t number = (uint64_t)ccprof_sys_getpid();
    int fd = -1;

    for (int try = 0; fd < 0 && try < DESTINATION_TRIES; try++) {
        errno = destination_name(path, number);
        if (errno)
            return -1;
        fd = ccprof_sys_open(AT_FDCWD, temporary_name, flags, 0666);
        if (fd >= 0 || errno != EEXIST)
            break;
        if (ccprof_sys_unlink(temporary_name) != 0)
            number = ccprof_sys_clock(CLOCK_REALTIME);
        errno = EEXIST;
    }
    if (fd < 0 && errno == EEXIST)
        *wrong = temporary_name;
    return destination_move_up(fd);
}

/* Returns 0 if the link may be replaced by a file, otherwise an errno value.  A link to
   something that the process has open, such as /dev/stdout, may not be replaced.  */
static int destination_judge_link(const char *path)
{
    static const char proc[] = "/proc/";
    char to[sizeof proc - 1];
    struct stat there;
    ssize_t length = ccprof_sys_readlink(path, to, sizeof to);

    if (length == sizeof to && memcmp(to, proc, sizeof to) == 0)
        return CCPROF_DESTINATION_REFUSED;
    if (ccprof_sys_stat(path, &there) != 0 || S_ISREG(there.st_mode))
        return 0;
    return S_ISDIR(there.st_mode) ? EISDIR : CCPROF_DESTINATION_REFUSED;
}

/* Refuses pipes of other users, who would read what was measured.  */
static bool destination_is_pipe(const struct stat *status)
{
    return S_ISFIFO(status->st_mode) &&
           (status->st_uid == 0 || status->st_uid == (uid_t)syscall(SYS_geteuid));
}

/* Opens PATH, which was a pipe, and checks that what was opened still is one.  */
static int destination_open_pipe(const char *path)
{
    int fd = ccprof_sys_open(
        AT_FDCWD, path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW, 0);
    struct stat status;

    if (fd < 0)
        return fd;
    if (ccprof_sys_fstat(fd, &status) != 0 || !destination_is_pipe(&status)) {
        ccprof_sys_close(fd);
        errno = CCPROF_DESTINATION_REFUSED;
        return -1;
    }
    ccprof_sys_fcntl(fd, F_SETFL, 0);
    return destination_move_up(fd);
}

/* Returns 0 if a file may replace what is at PATH, otherwise an errno value.  */
static int destination_judge(const char *path, const struct stat *there)
{
    switch (there->st_mode & S_IFMT) {
    case S_IFREG:
        return 0;
    case S_IFLNK:
        return destination_judge_link(path);
    case S_IFDIR:
        return EISDIR;
    default:
        return CCPROF_DESTINATION_REFUSED;
    }
}

int ccprof_destination_open(const char *path, const char **temporary, const char **wrong)
{
    struct stat there;

    *temporary = NULL;
    *wrong = path;
    if (syscall(SYS_newfstatat, AT_FDCWD, path, &there, AT_SYMLINK_NOFOLLOW) == 0) {
        if (destination_is_pipe(&there))
            return destination_open_pipe(path);
        errno = destination_judge(path, &there);
        if (errno)
            return -1;
    }
    *temporary = temporary_name;
    return destination_open_new(path, wrong);
}
