/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum regular_state state_of(const struct stat *status)
{
    if (S_ISDIR(status->st_mode))
        return REGULAR_FOLDER;
    if (!S_ISREG(status->st_mode))
        return REGULAR_OTHER;
    return status->st_size > 0 ? REGULAR_IS : REGULAR_EMPTY;
}

/* The type of the file is asked for before the file is opened, since opening a device may
   have effects, and again afterwards, since another file may have been opened.  */
enum regular_state regular_open(const char *path, struct regular *file)
{
    struct stat status;
    if (stat(path, &status) < 0)
        return REGULAR_CANNOT;
    enum regular_state state = state_of(&status);
    if (state != REGULAR_IS)
        return state;
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->descriptor < 0)
        return REGULAR_CANNOT;
    state = fstat(file->descriptor, &status) < 0 ? REGULAR_CANNOT : state_of(&status);
    file->size = (uint64_t)status.st_size;
    if (state != REGULAR_IS) {
        int error = errno;
        close(file->descriptor);
        errno = error;
    }
    return state;
}

const char *regular_tell(enum regular_state state)
{
    switch (state) {
    case REGULAR_CANNOT:
        return strerror(errno);
    case REGULAR_EMPTY:
        return "empty";
    default:
        return "not a regular file";
    }
}
