/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library for LD_AUDIT: the loader runs it in a namespace of its own, with a C library
   of its own, before the program is relocated. With -DPROGRAM the program. */

#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>

#include "burn.h"

static long calls;

static __attribute__((noinline)) void seen(void)
{
    calls++;
    burn(0.00003);
}

#ifdef PROGRAM
int main(void)
{
    for (int i = 0; i < 3000; i++)
        seen();
    printf("%ld calls\n", calls);
    return 0;
}
#else
unsigned la_version(unsigned version)
{
    seen();
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

unsigned la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie)
{
    (void)map;
    (void)namespace;
    (void)cookie;
    for (int i = 0; i < 1000; i++)
        seen();
    return 0;
}

/* The program has been relocated. */
void la_preinit(uintptr_t *cookie)
{
    (void)cookie;
    fprintf(stderr, "%ld audits\n", calls);
}
#endif
