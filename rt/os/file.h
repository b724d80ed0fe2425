/* SPDX-License-Identifier: MIT */
/* Files. Another thread of the program may close any descriptor at any time and open
   its own file under the same number. A file is therefore identified by its device
   and inode: the runtime does not read, write or close a descriptor that now refers to
   another file. (A thread can still exchange the file between this check and the
   system call that follows. That gap of a fraction of a microsecond is accepted.)
   All functions are async-signal-safe. On errors they return -1 or false and set
   errno. */

#ifndef CCPROF_FILE_H
#define CCPROF_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/os/sys.h"

/* An open file. The code that opened the file closes it. */
struct ccprof_file {
    int fd;      /* -1: no file */
    bool is_any; /* use the descriptor without checking its file */
    dev_t device;
    ino_t inode;
};

/* Opens PATH, relative to FOLDER (AT_FDCWD: the working directory), with O_CLOEXEC.
   The descriptor is never 0, 1 or 2, not even for a moment: if the program has closed
   a standard stream, other threads may still write to its number. */
bool ccprof_file_open(struct ccprof_file *file, int folder, const char *path, int flags,
                      mode_t mode);

/* Makes an empty file in memory, memfd_create(2), that can be sealed. NAME appears in
   /proc. The descriptor is as ccprof_file_open returns it. */
bool ccprof_file_make_memory(struct ccprof_file *file, const char *name);

/* Returns the file that FD refers to now; no file (-1) if FD is not open. If a
   seccomp filter refuses fstat, the file is identified only by FD. */
static inline struct ccprof_file ccprof_file_at(int fd)
{
    struct stat status;

    if (ccprof_sys_fstat(fd, &status) == 0)
        return (struct ccprof_file){fd, false, status.st_dev, status.st_ino};
    return (struct ccprof_file){.fd = errno == EBADF ? -1 : fd, .is_any = true};
}

/* Returns a file without identity: its descriptor is used without a check, even if it
   later refers to a different file. */
static inline struct ccprof_file ccprof_file_any(int fd)
{
    return (struct ccprof_file){.fd = fd, .is_any = true};
}

/* Returns whether the descriptor still refers to this file. Sets errno to EBADF if
   not. */
static inline bool ccprof_file_is_open(const struct ccprof_file *file)
{
    struct stat status;

    if (file->fd >= 0) {
        if (file->is_any)
            return true;
        if (ccprof_sys_fstat(file->fd, &status) != 0)
            return errno != EBADF;
        if (status.st_dev == file->device && status.st_ino == file->inode)
            return true;
    }
    errno = EBADF;
    return false;
}

/* Fails with EBADF if the descriptor no longer refers to this file. */
static inline ssize_t ccprof_file_write(const struct ccprof_file *file, const void *from,
                                        size_t size)
{
    return ccprof_file_is_open(file) ? ccprof_sys_write(file->fd, from, size) : -1;
}

static inline ssize_t ccprof_file_read(const struct ccprof_file *file, void *to,
                                       size_t size, off_t offset)
{
    return ccprof_file_is_open(file) ? ccprof_sys_pread(file->fd, to, size, offset) : -1;
}

/* Closes the file. Fails with EBADF if the descriptor no longer refers to this file,
   or with an error of the file system from writing the last data. */
int ccprof_file_close(struct ccprof_file *file);

/* Opens PATH with FLAGS, reads SIZE bytes from its start and closes it. Returns the
   number of bytes read, which is lower if the file is shorter. */
ssize_t ccprof_file_start(int folder, const char *path, int flags, void *to, size_t size);

#endif
