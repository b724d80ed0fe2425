/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/content.h"
#include "mlprof/base/buf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BLOCK 65536

static bool begins_with(const char *text, size_t size, const char *start)
{
    size_t length = start ? strlen(start) : 0;
    return size < length || length == 0 || memcmp(text, start, length) == 0;
}

/* How much there is to read, as far as the file tells.  */
static size_t told_size(FILE *file)
{
    struct stat status;
    return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
                   status.st_size > 0
               ? (size_t)status.st_size
               : 0;
}

/* How much to read next of what is TOLD, 0 if it is not; one byte more shows that it ends
   there.  */
static size_t next_of(size_t told, size_t size)
{
    size_t left = told >= size ? told - size + 1 : BLOCK;
    return !told || (size == 0 && left > BLOCK) ? BLOCK : left;
}

/* Reads until MOST bytes are there, or it is known not to begin with START.  */
static char *read_some(FILE *file, const char *start, size_t most, size_t *size)
{
    char *text = NULL;
    size_t capacity = 0, told = told_size(file), count;
    *size = 0;
    do {
        text = buf_grow(text, &capacity, *size + next_of(told, *size) + 1, 1);
        size_t room = capacity - 1 - *size;
        count = fread(text + *size, 1, room < most - *size ? room : most - *size, file);
        *size += count;
    } while (count > 0 && begins_with(text, *size, start));
    text[*size] = '\0';
    return text;
}

static char *read_file(const char *path, const char *start, size_t most, size_t *size,
                       struct fault *fault)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
        return NULL;
    }
    char *text = read_some(file, start, most, size);
    if (ferror(file)) {
        fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

char *content_read(const char *path, const char *start, size_t *size, struct fault *fault)
{
    return read_file(path, start, SIZE_MAX, size, fault);
}

char *content_read_start(const char *path, size_t most, size_t *size, struct fault *fault)
{
    return read_file(path, NULL, most, size, fault);
}
