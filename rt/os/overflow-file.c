/* SPDX-License-Identifier: MIT */
/* Opens, writes and reads overflow files.  Owns the name of the folder for these files.
   Only the overflow log (rt/table/overflow.c) calls the functions for one file: in the
   SIGPROF handler, and where the profile is written.  */

#define _GNU_SOURCE
#include <errno.h>

#include "rt/os/overflow-file.h"
#include "rt/os/blocked.h"
#include "rt/os/sys.h"

/* Programs rarely want a descriptor from this number on.  */
#define OVERFLOW_FILE_FD_FROM 500

static const char *overflow_file_folder;

void ccprof_overflow_file_place(const char *folder)
{
    overflow_file_folder = folder;
}

bool ccprof_overflow_file_is_ours(const struct ccprof_overflow_file *file)
{
    struct stat now;
    return file->open && ccprof_sys_fstat(file->fd, &now) == 0 &&
           now.st_dev == file->device && now.st_ino == file->inode;
}

static bool overflow_file_open(struct ccprof_overflow_file *file)
{
    const int flags = O_TMPFILE | O_RDWR | O_CLOEXEC;
    const char *const folders[] = {overflow_file_folder, "/tmp", "/var/tmp"};
    struct stat made;
    int fd = -1;

    for (unsigned i = 0; fd < 0 && i < sizeof folders / sizeof *folders; i++)
        if (folders[i])
            fd = ccprof_sys_open(AT_FDCWD, folders[i], flags, 0600);
    if (fd < 0)
        return false;
    fd = ccprof_sys_move_up(fd, OVERFLOW_FILE_FD_FROM);
    if (ccprof_sys_fstat(fd, &made) != 0) {
        ccprof_sys_close(fd);
        return false;
    }
    file->open = true;
    file->fd = fd;
    file->device = made.st_dev;
    file->inode = made.st_ino;
    return true;
}

size_t ccprof_overflow_file_write(struct ccprof_overflow_file *file, const uint64_t *word,
                                  size_t count, uint64_t at)
{
    const size_t size = sizeof *word;
    ssize_t written = 0;
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    ccprof_blocked_write(&blocked);
    if (file->open || overflow_file_open(file))
        written = ccprof_sys_pwrite(file->fd, word, count * size, (off_t)(at * size));
    ccprof_blocked_end(&blocked);
    return written > 0 ? (size_t)written / size : 0;
}

bool ccprof_overflow_file_read(const struct ccprof_overflow_file *file, uint64_t *word,
                               size_t count, uint64_t at)
{
    const size_t size = sizeof *word;
    ssize_t got = ccprof_sys_pread(file->fd, word, count * size, (off_t)(at * size));

    if (got >= 0 && got != (ssize_t)(count * size))
        errno = EIO;
    return got == (ssize_t)(count * size);
}

void ccprof_overflow_file_close(struct ccprof_overflow_file *file)
{
    if (ccprof_overflow_file_is_ours(file))
        ccprof_sys_close(file->fd);
    file->open = false;
}
