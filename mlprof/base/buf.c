/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/base/buf.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_no_memory(void)
{
    fputs("mlprof: out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

void *buf_alloc(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory)
        buf_no_memory();
    return memory;
}

char *buf_copy_prefix(const char *text, size_t length)
{
    char *copy = buf_alloc(length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *buf_copy(const char *text)
{
    return buf_copy_prefix(text, strlen(text));
}

char *buf_format(const char *format, ...)
{
    /* Most texts are short, and vasprintf allocates twice.  */
    char small[256];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    if (length < 0)
        buf_no_memory();
    char *text = buf_alloc((size_t)length + 1);
    if ((size_t)length < sizeof small)
        memcpy(text, small, (size_t)length);
    else
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

void *buf_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return array;
    size_t wanted = *capacity + *capacity / 2 + 8;
    if (wanted < need)
        wanted = need;
    if (wanted > SIZE_MAX / size)
        buf_no_memory();
    array = realloc(array, wanted * size);
    if (!array)
        buf_no_memory();
    *capacity = wanted;
    return array;
}

void buf_sort(void *array, size_t count, size_t size,
              int compare(const void *one, const void *other))
{
    if (count)
        qsort(array, count, size, compare);
}

FILE *buf_open(char **text, size_t *size)
{
    FILE *stream = open_memstream(text, size);
    if (!stream)
        buf_no_memory();
    return stream;
}

void buf_close(FILE *stream)
{
    bool good = !ferror(stream);
    if (fclose(stream) || !good)
        buf_no_memory();
}
