/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that exist in memory alone, for what reads files. */

#ifndef TESTSUITE_FUZZ_MEMORY_H
#define TESTSUITE_FUZZ_MEMORY_H

#include <stddef.h>

struct memory_file {
    int descriptor;
    char path[32];
};

/* A file with these bytes, which memory_close removes. */
struct memory_file memory_open(const void *bytes, size_t size);
void memory_close(const struct memory_file *file);

#endif
