/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/save.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool save_is_output(const char *path)
{
    return strcmp(path, "-") == 0;
}

static bool save_output(const char *text, size_t size, struct fault *fault)
{
    if (fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0)
        return true;
    return fault_set(fault, FAULT_FILE, "standard output", "%s", strerror(errno));
}

bool save_file(const char *path, const char *text, size_t size, struct fault *fault)
{
    if (save_is_output(path))
        return save_output(text, size, fault);
    FILE *out = fopen(path, "we");
    if (!out)
        return fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    bool good = fwrite(text, 1, size, out) == size && fflush(out) == 0;
    int error = errno;
    if (fclose(out) == 0 && good)
        return true;
    return fault_set(fault, FAULT_FILE, path, "%s", strerror(good ? errno : error));
}
