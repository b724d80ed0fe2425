// SPDX-License-Identifier: GPL-3.0-or-later
// Calls the allocators of pools.c, each 100 times for 4 bytes, and libc's for 5.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "pools.h"

static void *volatile keep;
static void *(*volatile pointer)(size_t) __attribute__((alloc_size(1))) = pool;
static void *(*found)(size_t) __attribute__((alloc_size(1)));

#define BY(name, function)                                                               \
    __attribute__((noinline)) static void by_##name(void)                                \
    {                                                                                    \
        keep = function(4);                                                              \
    }
BY(pool, pool)
BY(alias, pool_alias)
BY(weak, pool_weak)
BY(same, pool_same)
BY(around, pool_around)
BY(arena, pool_arena)
BY(plain, pool_plain)
#ifdef POINTERS
BY(pointer, pointer)
BY(found, found)
#endif

__attribute__((noinline)) static void by_libc(void)
{
    keep = malloc(5);
}

__attribute__((noinline)) static void *in_tail(size_t size)
{
    return pool(size);
}

int main(void)
{
    found = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "pool");
    if (!pointer || !found)
        return 1;
    for (int i = 0; i < 100; i++) {
        by_pool();
        by_alias();
        by_weak();
        by_same();
        by_around();
        by_arena();
        by_plain();
#ifdef POINTERS
        by_pointer();
        by_found();
#endif
        by_libc();
        keep = in_tail(4);
    }
    return 0;
}
