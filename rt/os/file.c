/* SPDX-License-Identifier: MIT */
/* Opens, reads and closes files, and checks that a descriptor still refers to the same
   file. Any thread may call these functions, and so may signal handlers. */

#define _GNU_SOURCE
#include <errno.h>

#include "rt/os/file.h"
#include "rt/os/sys.h"

#define FILE_STREAMS (STDERR_FILENO + 1)

/* MFD_CLOEXEC and MFD_ALLOW_SEALING of linux/memfd.h. */
#define FILE_CLOSED_BY_EXEC 1u
#define FILE_CAN_BE_SEALED  2u

/* If the program has closed some of its standard streams, opens "/" under their
   numbers. Otherwise the next file opened would get such a number, to which another
   thread of the program may be writing. With O_PATH, writes fail as if the streams
   were still closed. Returns the number of descriptors opened; 0 if no other
   descriptor is free. */
static unsigned file_occupy_streams(struct ccprof_file occupied[FILE_STREAMS])
{
    unsigned count = 0;
    int fd = -1;

    while (count < FILE_STREAMS) {
        fd = ccprof_sys_open(AT_FDCWD, "/", O_PATH | O_CLOEXEC, 0);
        if (fd < 0 || fd >= FILE_STREAMS)
            break;
        occupied[count++] = ccprof_file_at(fd);
    }
    if (fd >= FILE_STREAMS)
        ccprof_sys_close(fd);
    /* No descriptor is left for the file itself: close these descriptors, so that the
       file can have one of them. */
    while (fd < 0 && count > 0)
        ccprof_file_close(&occupied[--count]);
    return count;
}

/* Closes the COUNT descriptors of file_occupy_streams, and stores the result FD of the
   call that opened a file in between. */
static bool file_opened(struct ccprof_file *file, int fd, struct ccprof_file *occupied,
                        unsigned count)
{
    int error = errno;

    *file = fd >= 0 ? ccprof_file_at(fd) : (struct ccprof_file){.fd = -1};
    while (count > 0)
        ccprof_file_close(&occupied[--count]);
    if (fd < 0)
        errno = error;
    return file->fd >= 0;
}

bool ccprof_file_open(struct ccprof_file *file, int folder, const char *path, int flags,
                      mode_t mode)
{
    struct ccprof_file occupied[FILE_STREAMS];
    unsigned count = file_occupy_streams(occupied);
    int fd = ccprof_sys_open(folder, path, flags | O_CLOEXEC, mode);

    return file_opened(file, fd, occupied, count);
}

bool ccprof_file_make_memory(struct ccprof_file *file, const char *name)
{
    struct ccprof_file occupied[FILE_STREAMS];
    unsigned count = file_occupy_streams(occupied);
    int fd =
        (int)syscall(SYS_memfd_create, name, FILE_CLOSED_BY_EXEC | FILE_CAN_BE_SEALED);

    return file_opened(file, fd, occupied, count);
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
