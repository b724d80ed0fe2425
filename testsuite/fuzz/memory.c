/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "testsuite/fuzz/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct memory_file memory_open(const void *bytes, size_t size)
{
    struct memory_file file = {.descriptor = memfd_create("fuzz", MFD_CLOEXEC)};
    if (file.descriptor < 0 || write(file.descriptor, bytes, size) != (ssize_t)size) {
        perror("memfd_create");
        exit(2);
    }
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.descriptor);
    return file;
}

void memory_close(const struct memory_file *file)
{
    close(file->descriptor);
}
