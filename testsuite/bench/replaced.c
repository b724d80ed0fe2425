/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has about the same alive for long, or only for a moment: `replaced BLOCKS TIMES` fills
   BLOCKS places, replaces what is in them, one after the other, until there were TIMES
   blocks in each place, frees three of four, and ends.  */

#include <stdint.h>
#include <stdlib.h>

static uint32_t state = 1;

/* Of any size up to 2 KB, and now and then a large one.  */
__attribute__((noinline)) static void *get(void)
{
    state = state * 1664525 + 1013904223;
    size_t size = state >> 21;
    if (state >> 8 & 1023)
        return malloc(size);
    return malloc(64 * size);
}

int main(int argc, char **argv)
{
    const long blocks = argc > 2 ? atol(argv[1]) : 20000;
    const long times = argc > 2 ? atol(argv[2]) : 10;
    void **block = calloc((size_t)blocks, sizeof *block);

    if (!block)
        abort();
    for (long i = 0; i < times * blocks; i++) {
        free(block[i % blocks]);
        block[i % blocks] = get();
    }
    for (long i = 0; i < blocks; i++)
        if (i % 4 != 0)
            free(block[i]);
    return 0;
}
