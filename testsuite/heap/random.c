/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates and frees at random from many sites, and knows what each has: random
   OPERATIONS SEED.  Prints a line for each site, `NAME ALLOCATED BYTES FREED BYTES', and
   `peak BLOCKS BYTES'.  */

#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 5000

struct block {
    void *at;
    uint32_t site;
    size_t bytes;
};

struct amount {
    unsigned long blocks, bytes;
};

#define SITES 12

static struct amount allocated[SITES], released[SITES], alive, peak;
static uint64_t state;

/* Sites that differ in the function of libc that they call.  */
#define SITE(name, call)                                                                 \
    __attribute__((noinline)) static void *name(size_t bytes)                            \
    {                                                                                    \
        return written(call, bytes);                                                     \
    }

static void *written(void *at, size_t bytes)
{
    if (!at)
        abort();
    ((char *)at)[bytes - 1] = 1;
    return at;
}

SITE(site0, malloc(bytes))
SITE(site1, calloc(1, bytes))
SITE(site2, calloc(bytes, 1))
SITE(site3, realloc(NULL, bytes))
SITE(site4, reallocarray(NULL, 1, bytes))
SITE(site5, aligned_alloc(64, bytes))
SITE(site6, memalign(256, bytes))
/* Inlined functions have rows of their own.  */
SITE(site7, ({
         void *at = NULL;
         posix_memalign(&at, 32, bytes) == 0 ? at : NULL;
     }))
SITE(site8, valloc(bytes))
SITE(site9, malloc(bytes))

/* Its stack has another depth each time.  */
__attribute__((noinline)) static void *nested(size_t bytes, unsigned depth)
{
    void *at = depth > 0 ? nested(bytes, depth - 1) : written(malloc(bytes), bytes);
    __asm__ volatile("" : : : "memory");
    return at;
}

/* The functions of a block that takes another one's place.  */
__attribute__((noinline)) static void *moved(void *at, size_t bytes)
{
    return written(realloc(at, bytes), bytes);
}

static void *(*const sites[])(size_t) = {site0, site1, site2, site3, site4,
                                         site5, site6, site7, site8, site9};
#define PLAIN  (sizeof sites / sizeof *sites)
#define NESTED PLAIN
#define MOVED  (PLAIN + 1)

static uint32_t drawn(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static void add(struct amount *amount, const struct block *block, unsigned long sign)
{
    amount->blocks += sign;
    amount->bytes += sign * block->bytes;
}

static void count_made(const struct block *block)
{
    add(&allocated[block->site], block, 1);
    add(&alive, block, 1);
    if (alive.bytes > peak.bytes)
        peak = alive;
}

static void count_freed(const struct block *block)
{
    add(&released[block->site], block, 1);
    add(&alive, block, -1ul);
}

static void make(struct block *block)
{
    uint32_t site = drawn() % (PLAIN + 1);
    uint32_t random = drawn();

    block->site = site;
    block->bytes = 1 + (random % 50 ? random % 300 : random % 40000);
    block->at =
        site < PLAIN ? sites[site](block->bytes) : nested(block->bytes, random / 64 % 40);
    count_made(block);
}

static void move(struct block *block)
{
    size_t bytes = 1 + drawn() % 2000;

    block->at = moved(block->at, bytes);
    count_freed(block);
    block->bytes = bytes;
    block->site = MOVED;
    count_made(block);
}

static void print(const char *name, int site)
{
    printf("%s %lu %lu %lu %lu\n", name, allocated[site].blocks, allocated[site].bytes,
           released[site].blocks, released[site].bytes);
}

int main(int arguments, char **argument)
{
    static struct block blocks[SLOTS];

    if (arguments != 3)
        return 2;
    state = (uint64_t)atol(argument[2]);
    for (long i = atol(argument[1]); i > 0; i--) {
        struct block *block = &blocks[drawn() % SLOTS];
        if (!block->at)
            make(block);
        else if (drawn() % 8 == 0)
            move(block);
        else {
            free(block->at);
            count_freed(block);
            block->at = NULL;
        }
    }
    for (int site = 0; site < (int)PLAIN; site++) {
        char name[] = {'s', 'i', 't', 'e', (char)('0' + site), '\0'};
        print(name, site);
    }
    print("nested", NESTED);
    print("moved", MOVED);
    printf("peak %lu %lu\n", peak.blocks, peak.bytes);
    return 0;
}
