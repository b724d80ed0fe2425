/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates and frees at random from many sites, in threads that free each other's
   blocks, and knows what each site has: random THREADS OPERATIONS SEED.  Prints a line
   for each site, `NAME ALLOCATED BYTES FREED BYTES', and with one thread `peak BLOCKS
   BYTES'.  */

#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS  5000
#define SHARED 64

struct block {
    void *at;
    uint32_t site;
    size_t bytes;
};

struct amount {
    _Atomic uint64_t blocks, bytes;
};

#define SITES 12

static struct amount allocated[SITES], released[SITES];
static uint64_t alive, alive_blocks, peak, peak_blocks; /* with one thread */
static long threads, operations;

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

static uint32_t drawn(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static void count(struct amount *amount, size_t bytes)
{
    atomic_fetch_add_explicit(&amount->blocks, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&amount->bytes, bytes, memory_order_relaxed);
}

static void count_made(const struct block *block)
{
    count(&allocated[block->site], block->bytes);
    if (threads > 1)
        return;
    alive += block->bytes;
    alive_blocks++;
    if (alive > peak) {
        peak = alive;
        peak_blocks = alive_blocks;
    }
}

static void count_freed(const struct block *block)
{
    count(&released[block->site], block->bytes);
    if (threads > 1)
        return;
    alive -= block->bytes;
    alive_blocks--;
}

static void make(struct block *block, uint64_t *state)
{
    uint32_t site = drawn(state) % (PLAIN + 1);
    uint32_t random = drawn(state);

    block->site = site;
    block->bytes = 1 + (random % 50 ? random % 300 : random % 40000);
    block->at =
        site < PLAIN ? sites[site](block->bytes) : nested(block->bytes, random / 64 % 40);
    count_made(block);
}

static void move(struct block *block, uint64_t *state)
{
    size_t bytes = 1 + drawn(state) % 2000;

    block->at = moved(block->at, bytes);
    count_freed(block);
    block->bytes = bytes;
    block->site = MOVED;
    count_made(block);
}

/* Gives a block to whoever finds it there, and frees what was there.  */
static void pass_on(struct block *block, uint64_t *state)
{
    static struct block kept[SHARED];
    static atomic_flag busy[SHARED];
    uint32_t place = drawn(state) % SHARED;

    while (atomic_flag_test_and_set(&busy[place]))
        ;
    struct block other = kept[place];
    kept[place] = *block;
    atomic_flag_clear(&busy[place]);
    block->at = NULL;
    if (other.at) {
        free(other.at);
        count_freed(&other);
    }
}

static void *work(void *argument)
{
    static _Thread_local struct block blocks[SLOTS];
    uint64_t state = *(uint64_t *)argument;

    for (long i = 0; i < operations; i++) {
        struct block *block = &blocks[drawn(&state) % SLOTS];
        uint32_t choice = drawn(&state) % 8;
        if (!block->at)
            make(block, &state);
        else if (choice == 0)
            move(block, &state);
        else if (choice == 1)
            pass_on(block, &state);
        else {
            free(block->at);
            count_freed(block);
            block->at = NULL;
        }
    }
    return NULL;
}

static void print(const char *name, int site)
{
    printf("%s %llu %llu %llu %llu\n", name, (unsigned long long)allocated[site].blocks,
           (unsigned long long)allocated[site].bytes,
           (unsigned long long)released[site].blocks,
           (unsigned long long)released[site].bytes);
}

int main(int arguments, char **argument)
{
    pthread_t thread[64];
    uint64_t seed[64];

    if (arguments != 4 || (threads = atol(argument[1])) < 1 || threads > 64)
        return 2;
    operations = atol(argument[2]);
    for (long i = 0; i < threads; i++)
        seed[i] = (uint64_t)atol(argument[3]) * 64 + (uint64_t)i;
    for (long i = 1; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, &seed[i]) != 0)
            abort();
    work(&seed[0]);
    for (long i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
    for (int site = 0; site < (int)PLAIN; site++) {
        char name[] = {'s', 'i', 't', 'e', (char)('0' + site), '\0'};
        print(name, site);
    }
    print("nested", NESTED);
    print("moved", MOVED);
    if (threads == 1)
        printf("peak %llu %llu\n", (unsigned long long)peak_blocks,
               (unsigned long long)peak);
    return 0;
}
