/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/inputs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool begins_with(const char *path, const char *start)
{
    char bytes[16];
    size_t length = strlen(start);
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode))
        return false;
    FILE *file = fopen(path, "re");
    bool does = file && fread(bytes, 1, length, file) == length &&
                memcmp(bytes, start, length) == 0;
    if (file)
        fclose(file);
    return does;
}

bool inputs_is_executable(const char *path)
{
    return begins_with(path, "\177ELF");
}

bool inputs_is_data(const char *path)
{
    return begins_with(path, "ccprof mlmon ");
}
