/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/inputs.h"
#include "mlprof/elf/elffile.h"

#include <stdio.h>
#include <stdlib.h>
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

bool inputs_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool same_file(const char *one, const char *other)
{
    char *a = realpath(one, NULL), *b = realpath(other, NULL);
    bool same = a && b && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

bool inputs_is_measured(const char *program, const char *build_id,
                        const struct profile_module *measured)
{
    if (!build_id && !measured->build_id)
        return same_file(program, measured->path);
    return elffile_same_build_id(build_id, measured->build_id);
}
