/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has many blocks alive at the same time: `live BLOCKS` allocates them, of 8 to 71 bytes,
   replaces a tenth, here and there, and frees all.  Prints the most memory that it had,
   in KiB.  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static uint32_t state = 1;

static uint32_t next_number(void)
{
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

__attribute__((noinline)) static void *get(void)
{
    char *block = malloc(8 + next_number() % 64);
    if (!block)
        abort();
    block[0] = 1;
    return block;
}

__attribute__((noinline)) static void fill(void **block, long blocks)
{
    for (long i = 0; i < blocks; i++)
        block[i] = get();
}

__attribute__((noinline)) static void replace(void **block, long blocks)
{
    for (long i = 0; i < blocks / 10; i++) {
        void **at = &block[next_number() % (unsigned long)blocks];
        free(*at);
        *at = get();
    }
}

int main(int argc, char **argv)
{
    const long blocks = argc > 1 ? atol(argv[1]) : 10000000;
    void **block = malloc((size_t)blocks * sizeof *block);
    struct rusage usage;

    if (!block || blocks < 1)
        abort();
    fill(block, blocks);
    replace(block, blocks);
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld\n", usage.ru_maxrss);
    for (long i = 0; i < blocks; i++)
        free(block[i]);
    free(block);
    return 0;
}
