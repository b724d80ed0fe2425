// SPDX-License-Identifier: GPL-3.0-or-later

#include "outside.h"

static char arena[4096], *next = arena;

static void *get(size_t size)
{
    void *block = next;
    next += size;
    return block;
}

void *outside_bytes(size_t size)
{
    return get(size);
}

void *outside_matrix(char c, int rows, int columns)
{
    (void)c;
    return get((size_t)rows * (size_t)columns);
}

void *outside_handle(void)
{
    return get(0);
}
