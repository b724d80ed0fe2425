/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library that allocates as it is loaded and as it is unloaded, and what it is asked
   to. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

static void *volatile kept;

static __attribute__((constructor)) void begin(void)
{
    kept = malloc(40);
    free(malloc(41));
}

static __attribute__((destructor)) void end(void)
{
    free(malloc(42));
    free(kept);
}

void *library_malloc(size_t size);
void library_free(void *at);

void *library_malloc(size_t size)
{
    char *at = malloc(size);
    if (at)
        at[0] = 1;
    return at;
}

void library_free(void *at)
{
    free(at);
    kept = kept ? kept : at;
}
