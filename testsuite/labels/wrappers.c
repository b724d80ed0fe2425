// SPDX-License-Identifier: GPL-3.0-or-later
// Functions whose last act is a call of the C library: a jump.

#include <stdlib.h>
#include <string.h>

#define NOIPA __attribute__((noipa))

NOIPA void clear(void *to, size_t size)
{
    memset(to, 0, size);
}

NOIPA void copy(void *to, const void *from, size_t size)
{
    memcpy(to, from, size);
}

NOIPA size_t length(const char *text)
{
    return strlen(text);
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

NOIPA void order(void *base, size_t count, size_t size)
{
    qsort(base, count, size, compare);
}

NOIPA void wipe(void *to, size_t size)
{
    memset(to, 2, size);
}

NOIPA void reset(void *to, size_t size)
{
    wipe(to, size);
}

NOIPA void either(void *to, const void *from, size_t size)
{
    if (from)
        memcpy(to, from, size);
    else
        memset(to, 3, size);
}
