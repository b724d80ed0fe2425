/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/path.h"
#include "mlprof/base/buf.h"

#include <stdbool.h>
#include <string.h>

char *path_from(const char *here, const char *directory, const char *file)
{
    bool whole = file[0] == '/' || file[0] == '<';
    if (whole || !directory || !directory[0] || strcmp(here, directory) == 0)
        return buf_copy(file);
    return buf_format("%s/%s", directory, file);
}

const char *path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
