/* SPDX-License-Identifier: MIT */
/* Opens files and checks what is behind their numbers.  Owns nothing.  Any thread may
   call this, handlers included.  */

#define _GNU_SOURCE
#include "rt/os/file.h"

/* Moves the descriptor above those of the standard streams; leaves it if no number is
   free.  */
static int file_move_up(int fd)
{
    int up;

    if (fd > STDERR_FILENO)
        return fd;
    up = ccprof_sys_fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (up < 0)
        return fd;
    ccprof_sys_close(fd);
    return up;
}

bool ccprof_file_open(struct ccprof_file *file, int folder, const char *path, int flags,
                      mode_t mode)
{
    int fd = ccprof_sys_open(folder, path, flags | O_CLOEXEC, mode);

    *file = (struct ccprof_file){.fd = -1};
    if (fd < 0)
        return false;
    *file = ccprof_file_at(file_move_up(fd));
    return file->fd >= 0;
}

int ccprof_file_close(struct ccprof_file *file)
{
    int result = ccprof_file_is_open(file) ? ccprof_sys_close(file->fd) : -1;

    file->fd = -1;
    return result;
}

ssize_t ccprof_file_start(int folder, const char *path, int flags, void *to, size_t size)
{
    struct ccprof_file file;
    size_t done = 0;
    ssize_t got;

    if (!ccprof_file_open(&file, folder, path, flags, 0))
        return -1;
    do {
        got = ccprof_file_read(&file, (char *)to + done, size - done, (off_t)done);
        if (got > 0)
            done += (size_t)got;
    } while (got > 0 && done < size);
    ccprof_file_close(&file);
    return got < 0 && done == 0 ? -1 : (ssize_t)done;
}
