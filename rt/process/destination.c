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

static int destination_name(const char *path, uint64_t number)
{
    struct ccprof_text text;

    ccprof_text_open(&text, temporary_name, sizeof temporary_name, NULL);
    ccprof_text_string(&text, path);
    ccprof_text_char(&text, '.');
    ccprof_text_decimal(&text, number);
    ccprof_text_string(&text, ".tmp");
    return ccprof_text_end(&text);
}

/* Removes what other threads have written to the file if it had the number of a standard
   stream that the program has closed.  An empty file is left alone: when a file that was
   truncated is closed, ext4 waits for the disk.  */
static void destination_empty(const struct ccprof_file *file)
{
    struct stat status;

    if (ccprof_sys_fstat(file->fd, &status) == 0 && status.st_size == 0)
        return;
    syscall(SYS_ftruncate, file->fd, 0);
    syscall(SYS_lseek, file->fd, 0, SEEK_SET);
}

/* Opens a new temporary file.  If its name is taken, the file was left by a process that
   had our number and was killed, and is removed.  If it cannot be removed, or is made
   again and again, the name gets the time instead of our number.  */
static bool destination_open_new(struct ccprof_file *file, const char *path,
                                 const char **wrong)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL;
    uint64_t number = (uint64_t)ccprof_sys_getpid();

    for (int try = 0; try < DESTINATION_TRIES; try++) {
        errno = destination_name(path, number);
        if (errno)
            return false;
        if (ccprof_file_open(file, AT_FDCWD, temporary_name, flags, 0666)) {
            destination_empty(file);
            return true;
        }
        if (errno != EEXIST)
            return false;
        if (ccprof_sys_unlink(temporary_name) != 0)
            number = ccprof_sys_clock(CLOCK_REALTIME);
        errno = EEXIST;
    }
    *wrong = temporary_name;
    return false;
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
static bool destination_open_pipe(struct ccprof_file *file, const char *path)
{
    const int flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW;
    struct stat status;

    if (!ccprof_file_open(file, AT_FDCWD, path, flags, 0))
        return false;
    if (ccprof_sys_fstat(file->fd, &status) != 0 || !destination_is_pipe(&status)) {
        ccprof_file_close(file);
        errno = CCPROF_DESTINATION_REFUSED;
        return false;
    }
    ccprof_sys_fcntl(file->fd, F_SETFL, 0);
    return true;
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

bool ccprof_destination_open(struct ccprof_file *file, const char *path,
                             const char **temporary, const char **wrong)
{
    struct stat there;

    *temporary = NULL;
    *wrong = path;
    if (syscall(SYS_newfstatat, AT_FDCWD, path, &there, AT_SYMLINK_NOFOLLOW) == 0) {
        if (destination_is_pipe(&there))
            return destination_open_pipe(file, path);
        errno = destination_judge(path, &there);
        if (errno)
            return false;
    }
    *temporary = temporary_name;
    return destination_open_new(file, path, wrong);
}
