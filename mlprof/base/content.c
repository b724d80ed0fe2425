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
#include <unistd.h>

#define BLOCK 65536

static bool begins_with(const char *text, size_t size, const char *start)
{
    size_t length = strlen(start);
    return size < length || memcmp(text, start, length) == 0;
}

/* Whether to read on behind SIZE bytes, of which the last COUNT are new.  A NUL ends the
   reading of a file that must begin with START: a text has no NUL, but a hole in a file,
   which may be of any size, reads as NULs.  */
static bool goes_on(const char *text, size_t size, size_t count, const char *start)
{
    return count > 0 && (!start || (begins_with(text, size, start) &&
                                    !memchr(text + size - count, '\0', count)));
}

/* The size that the file tells; 0: none.  */
static size_t told_size(FILE *file)
{
    struct stat status;
    return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
                   status.st_size > 0
               ? (size_t)status.st_size
               : 0;
}

/* How many bytes to read next if SIZE bytes are there.  TOLD is the size that the file
   tells, or 0; one byte more shows that the file ends there.  */
static size_t next_of(size_t told, size_t size)
{
    size_t left = told >= size ? told - size + 1 : BLOCK;
    return !told || (size == 0 && left > BLOCK) ? BLOCK : left;
}

/* Reads FILE to its end, up to MOST bytes, or until it is known not to be a text that
   begins with START.  */
static char *read_some(FILE *file, const char *start, size_t most, size_t *size)
{
    char *text = NULL;
    size_t capacity = 0, told = told_size(file), count;
    *size = 0;
    do {
        size_t left = most - *size, next = next_of(told, *size);
        next = next < left ? next : left;
        text = buf_grow(text, &capacity, *size + next + 1, 1);
        count = fread(text + *size, 1, next, file);
        *size += count;
    } while (*size < most && goes_on(text, *size, count, start));
    text[*size] = '\0';
    return text;
}

static char *cannot(const char *path, struct fault *fault)
{
    fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    return NULL;
}

/* Reads and closes FILE, which is NULL if it could not be opened.  */
static char *read_file(FILE *file, const char *path, const char *start, size_t most,
                       size_t *size, struct fault *fault)
{
    if (!file)
        return cannot(path, fault);
    char *text = read_some(file, start, most, size);
    if (ferror(file)) {
        free(text);
        text = cannot(path, fault);
    }
    fclose(file);
    return text;
}

char *content_read(const char *path, const char *start, size_t *size, struct fault *fault)
{
    return read_file(fopen(path, "re"), path, start, SIZE_MAX, size, fault);
}

char *content_read_regular(const struct regular *file, const char *path,
                           const char *start, size_t *size, struct fault *fault)
{
    size_t most = file->size < SIZE_MAX ? (size_t)file->size : SIZE_MAX;
    FILE *stream = fdopen(file->descriptor, "r");
    if (!stream)
        close(file->descriptor);
    return read_file(stream, path, start, most, size, fault);
}

char *content_read_found(const char *path, const char *start, size_t most, size_t *size,
                         struct fault *fault)
{
    struct regular file;
    enum regular_state state = regular_open(path, &file);
    if (state == REGULAR_CANNOT)
        return cannot(path, fault);
    if (state != REGULAR_IS) {
        fault_set(fault, FAULT_FORMAT, path, "%s", regular_tell(state));
        return NULL;
    }
    if (file.size > most)
        file.size = most;
    return content_read_regular(&file, path, start, size, fault);
}
