/* SPDX-License-Identifier: MIT */
/* Files.  Another thread of the program may close any
   descriptor at any time, and open a file of its own under the same number.  So a file is
   known by its device and inode, and nothing is written, read or closed by a number
   behind which there is another file.  (A thread that does so between the check and the
   call that follows it, a fraction of a microsecond, cannot be helped.)  All functions
   are async-signal-safe.  On errors they return -1 or false and set errno.  */

#ifndef CCPROF_FILE_H
#define CCPROF_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/os/sys.h"

/* An open file.  The one who opened it closes it.  */
struct ccprof_file {
    int fd;      /* -1: there is none */
    bool is_any; /* the number is the caller's, whatever is behind it */
    dev_t device;
    ino_t inode;
};

/* Opens PATH, relative to the FOLDER (AT_FDCWD: the process's), with O_CLOEXEC.  The
   number is above those of the standard streams, from the first moment: if the program
   has closed one, other threads may still write to its number.  */
bool ccprof_file_open(struct ccprof_file *file, int folder, const char *path, int flags,
                      mode_t mode);

/* Returns the file that now has the number FD; none if there is no such file.  If a
   filter of system calls refuses fstat, the number alone is known.  */
static inline struct ccprof_file ccprof_file_at(int fd)
{
    struct stat status;

    if (ccprof_sys_fstat(fd, &status) == 0)
        return (struct ccprof_file){fd, false, status.st_dev, status.st_ino};
    return (struct ccprof_file){.fd = errno == EBADF ? -1 : fd, .is_any = true};
}

/* Returns a file that is whatever has the number FD when it is used.  */
static inline struct ccprof_file ccprof_file_any(int fd)
{
    return (struct ccprof_file){.fd = fd, .is_any = true};
}

/* Returns whether the file still has its number.  Sets errno to EBADF if not.  */
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

/* Error: EBADF if the file has lost its number.  */
static inline ssize_t ccprof_file_write(const struct ccprof_file *file, const void *from,
                                        size_t size)
{
    return ccprof_file_is_open(file) ? ccprof_sys_write(file->fd, from, size) : -1;
}

static inline ssize_t ccprof_file_read(const struct ccprof_file *file, void *to,
                                       size_t size, off_t at)
{
    return ccprof_file_is_open(file) ? ccprof_sys_pread(file->fd, to, size, at) : -1;
}

/* Closes the file.  Error: EBADF if it has lost its number; or what the file system met
   when it wrote the last data.  */
int ccprof_file_close(struct ccprof_file *file);

/* Reads SIZE bytes from the start of a file, fewer if it is shorter; returns how many.
   The file is opened with the FLAGS and closed again.  */
ssize_t ccprof_file_start(int folder, const char *path, int flags, void *to, size_t size);

/* Overflow files keep words for which a buffer has no room, for the overflow log.  They
   have no names.  The program may close any descriptor and may count them, so the process
   owns none: each file is mapped and its descriptor closed at once.  A mapped file cannot
   grow, so a log is a list of files, each larger than the one before.  The space of a
   file is allocated before it is mapped, so a full disk is an error of write and never a
   SIGBUS.

   The first file has this many words, each of the next ones twice as many, up to the
   most; all files together have 2 GB.  */
#define CCPROF_OVERFLOW_FILE_FIRST ((uint64_t)1 << 17)
#define CCPROF_OVERFLOW_FILE_MOST  ((uint64_t)1 << 23)
#define CCPROF_OVERFLOW_FILES      38

/* The files of a log.  All zeros is an empty list.  The mappings belong to it.  */
struct ccprof_overflow_file {
    unsigned count;
    uint64_t size; /* words that the files have room for */
    uint64_t *map[CCPROF_OVERFLOW_FILES];
};

/* Sets the folder of these files, which the caller owns and keeps.  If they cannot be
   made there, they are made in the usual folders for temporary files.  Call this before
   the first write.  */
void ccprof_overflow_file_place(const char *folder);

/* Writes COUNT words behind the first AT words.  Returns how many words were written:
   fewer if no further file can be made.  */
size_t ccprof_overflow_file_write(struct ccprof_overflow_file *file, const uint64_t *word,
                                  size_t count, uint64_t at);

/* Reads the COUNT words behind the first AT words.  Returns false, with errno set, if the
   files have no room for so many.  */
bool ccprof_overflow_file_read(const struct ccprof_overflow_file *file, uint64_t *word,
                               size_t count, uint64_t at);

/* Removes the files.  */
void ccprof_overflow_file_close(struct ccprof_overflow_file *file);

#endif
