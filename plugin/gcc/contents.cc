// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/contents.h"

// A pipe, say, is not to be read twice.
static FILE *open_regular(const char *name)
{
    struct stat status;

    if (stat(name, &status) || !S_ISREG(status.st_mode))
        return NULL;
    return fopen(name, "rb");
}

struct unit_hash contents_hash(const char *name)
{
    struct unit_hash hash = {{0}};
    FILE *file = open_regular(name);

    if (!file)
        return hash;
    if (md5_stream(file, hash.bytes))
        hash = {{0}};
    fclose(file);
    return hash;
}
