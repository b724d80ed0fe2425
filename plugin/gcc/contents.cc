// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/contents.h"

// Nobody reads a source file that is larger, and mlprof shows none.
#define CONTENTS_MOST (64 << 20)

// Opening a device may already do something, so that the type is asked for before; what
// has no size, as the kernel's own files, may never end, and what is too large is not
// shown by mlprof.
static bool is_source(const struct stat *status)
{
    return S_ISREG(status->st_mode) && status->st_size > 0 &&
           status->st_size <= CONTENTS_MOST;
}

static FILE *open_source(const char *name)
{
    struct stat status;

    if (stat(name, &status) || !is_source(&status))
        return NULL;
    int descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return NULL;
    FILE *file = fstat(descriptor, &status) == 0 && is_source(&status)
                     ? fdopen(descriptor, "rb")
                     : NULL;
    if (!file)
        close(descriptor);
    return file;
}

struct unit_hash contents_hash(const char *name)
{
    struct unit_hash hash = {{0}};
    FILE *file = open_source(name);

    if (!file)
        return hash;
    if (md5_stream(file, hash.bytes))
        hash = {{0}};
    fclose(file);
    return hash;
}
