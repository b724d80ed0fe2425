/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "plugin/tables/memory.h"

#include <stdio.h>
#include <stdlib.h>

static void *checked(void *memory)
{
    if (!memory) {
        fputs("ccprof: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

void *memory_reserve(void *old, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return old;
    size_t larger = *room ? 2 * *room : 16;
    if (larger < needed)
        larger = needed;
    *room = larger;
    return checked(realloc(old, larger * size));
}

void *memory_zeroed(size_t count, size_t size)
{
    return checked(calloc(count, size));
}

void memory_free(void *memory)
{
    free(memory);
}
