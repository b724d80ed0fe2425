/* SPDX-License-Identifier: MIT */
/* Owns the folder's name.  Called by the log, in the handler too, and where the
   profile is written.  */

#define _GNU_SOURCE
#include <errno.h>

#include "rt/os/spool.h"
#include "rt/os/quiet.h"
#include "rt/os/sys.h"

/* Descriptors from here on are rarely wanted by a program.  */
#define SPOOL_FD_FROM 500

static const char *spool_folder;

void ccprof_spool_place(const char *folder)
{
    spool_folder = folder;
}

bool ccprof_spool_is_ours(const struct ccprof_spool *spool)
{
    struct stat now;
    return spool->open && ccprof_sys_fstat(spool->fd, &now) == 0 &&
           now.st_dev == spool->device && now.st_ino == spool->inode;
}

static bool spool_open(struct ccprof_spool *spool)
{
    const int flags = O_TMPFILE | O_RDWR | O_CLOEXEC;
    const char *const folders[] = {spool_folder, "/tmp", "/var/tmp"};
    struct stat made;
    int fd = -1;

    for (unsigned i = 0; fd < 0 && i < sizeof folders / sizeof *folders; i++)
        if (folders[i])
            fd = ccprof_sys_open(AT_FDCWD, folders[i], flags, 0600);
    if (fd < 0)
        return false;
    fd = ccprof_sys_move_up(fd, SPOOL_FD_FROM);
    if (ccprof_sys_fstat(fd, &made) != 0) {
        ccprof_sys_close(fd);
        return false;
    }
    spool->open = true;
    spool->fd = fd;
    spool->device = made.st_dev;
    spool->inode = made.st_ino;
    return true;
}

size_t ccprof_spool_write(struct ccprof_spool *spool, const uint64_t *word, size_t count,
                          uint64_t at)
{
    const size_t size = sizeof *word;
    ssize_t written = 0;
    struct ccprof_quiet quiet;

    ccprof_quiet_begin(&quiet);
    if (spool->open || spool_open(spool))
        written = ccprof_sys_pwrite(spool->fd, word, count * size, (off_t)(at * size));
    ccprof_quiet_end(&quiet);
    return written > 0 ? (size_t)written / size : 0;
}

bool ccprof_spool_read(const struct ccprof_spool *spool, uint64_t *word, size_t count,
                       uint64_t at)
{
    const size_t size = sizeof *word;
    ssize_t got = ccprof_sys_pread(spool->fd, word, count * size, (off_t)(at * size));

    if (got >= 0 && got != (ssize_t)(count * size))
        errno = EIO;
    return got == (ssize_t)(count * size);
}

void ccprof_spool_close(struct ccprof_spool *spool)
{
    if (ccprof_spool_is_ours(spool))
        ccprof_sys_close(spool->fd);
    spool->open = false;
}
