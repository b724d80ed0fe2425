// SPDX-License-Identifier: GPL-3.0-or-later

#include "pools.h"

#include <stdlib.h>

static char arena[4096], *next = arena;

void *pool(size_t size)
{
    return malloc(size + 16);
}

void *pool_alias(size_t size) __attribute__((alias("pool")));
void *pool_weak(size_t size) __attribute__((weak, alias("pool")));

// GCC may make this another name of the first one, or a call of it.
void *pool_same(size_t size)
{
    return malloc(size + 16);
}

void *pool_around(size_t size)
{
    char *volatile block = pool(size);
    return block;
}

void *pool_arena(size_t size)
{
    void *block = next;
    next += size;
    return block;
}

// Not declared as one.
void *pool_plain(size_t size)
{
    char *block = malloc(size + 16);
    block[0] = 1;
    return block;
}
