/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knows what it has allocated: prints the bytes and blocks that were alive when most
   was, and leaks some among a million others.  */

#include <stdio.h>
#include <stdlib.h>

#ifndef OTHERS
#define OTHERS 1000000
#endif
#define HELD 300

struct held {
    void *block;
    size_t bytes;
};

static struct held held[HELD];
static size_t alive, blocks, most, most_blocks;
static void *volatile leaked;

static void count(size_t bytes, int sign)
{
    alive += (size_t)sign * bytes;
    blocks += (size_t)sign;
    if (alive > most) {
        most = alive;
        most_blocks = blocks;
    }
}

/* No calls in tail position, from which nobody returns.  */
__attribute__((noinline)) static void *small(size_t bytes)
{
    char *block = malloc(bytes);
    block[0] = 1;
    return block;
}

__attribute__((noinline)) static void *large(size_t bytes)
{
    char *block = malloc(bytes);
    block[bytes - 1] = 2;
    return block;
}

static inline void *planted(size_t bytes)
{
    return malloc(bytes);
}

__attribute__((noinline)) static void leak(void)
{
    leaked = planted(64);
    count(64, 1);
}

__attribute__((noinline)) static void others(void)
{
    unsigned state = 1;

    for (long i = 0; i < OTHERS; i++) {
        state = state * 1103515245 + 12345;
        struct held *one = &held[(state >> 8) % HELD];
        if (one->block) {
            free(one->block);
            count(one->bytes, -1);
            one->block = NULL;
        } else {
            one->bytes = 1 + (state >> 16) % 1000;
            one->block = one->bytes < 500 ? small(one->bytes) : large(one->bytes);
            count(one->bytes, 1);
        }
        if (i % (OTHERS / 50) == 0)
            leak();
    }
    for (int i = 0; i < HELD; i++)
        if (held[i].block) {
            free(held[i].block);
            count(held[i].bytes, -1);
        }
}

int main(void)
{
    others();
    fprintf(stderr, "%zu %zu\n%zu %zu\n", most_blocks, most, blocks, alive);
    return 0;
}
