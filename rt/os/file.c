/* SPDX-License-Identifier: MIT */
/* Opens files and checks what is behind their numbers.  Owns nothing.  Any thread may
   call this, handlers included.  */

#define _GNU_SOURCE
#include "rt/os/file.h"

#define FILE_STREAMS (STDERR_FILENO + 1)

/* Takes the numbers of standard streams that the program has closed, so that no file gets
   one: another thread may be writing to it.  To what has them now nothing can be written,
   as if they were closed.  Returns how many; none if no number is free beside them.  */
static unsigned file_hold(struct ccprof_file held[FILE_STREAMS])
{
    unsigned count = 0;
    int fd = -1;

    while (count < FILE_STREAMS) {
        fd = ccprof_sys_open(AT_FDCWD, "/", O_PATH | O_CLOEXEC, 0);
        if (fd < 0 || fd >= FILE_STREAMS)
            break;
        held[count++] = ccprof_file_at(fd);
    }
    if (fd >= FILE_STREAMS)
        ccprof_sys_close(fd);
    /* Without these the file may have room.  */
    while (fd < 0 && count > 0)
        ccprof_file_close(&held[--count]);
    return count;
}

bool ccprof_file_open(struct ccprof_file *file, int folder, const char *path, int flags,
                      mode_t mode)
{
    struct ccprof_file held[FILE_STREAMS];
    unsigned count = file_hold(held);
    int fd = ccprof_sys_open(folder, path, flags | O_CLOEXEC, mode);
    int error = errno;

    *file = fd >= 0 ? ccprof_file_at(fd) : (struct ccprof_file){.fd = -1};
    while (count > 0)
        ccprof_file_close(&held[--count]);
    if (fd < 0)
        errno = error;
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
