/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of memory, in two ways:

   blocks exchange ROUNDS         Eight threads free each other's: each puts what it
                                  allocates into a slot and frees what it finds there.
   blocks live BLOCKS             So many, of 8 to 71 bytes, are alive at the same time; a
                                  tenth is replaced, and all are freed. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 8
#define SLOTS   1024

static _Atomic(void *) slot[SLOTS];
static long rounds;

static uint32_t next_number(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

__attribute__((noinline)) static void *get(size_t size)
{
    char *block = malloc(size);
    if (!block)
        abort();
    block[0] = 1;
    return block;
}

static void *exchange_blocks(void *argument)
{
    uint32_t state = (uint32_t)(uintptr_t)argument * 7919 + 1;

    for (long i = 0; i < rounds; i++) {
        uint32_t number = next_number(&state);
        free(atomic_exchange(&slot[number % SLOTS], get(16 + (number >> 16))));
    }
    return NULL;
}

static void exchange(void)
{
    pthread_t threads[THREADS];

    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, exchange_blocks, (void *)i) != 0)
            abort();
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < SLOTS; i++)
        free(slot[i]);
}

static void live(long blocks)
{
    void **block = get((size_t)blocks * sizeof *block);
    uint32_t state = 1;

    for (long i = 0; i < blocks; i++)
        block[i] = get(8 + next_number(&state) % 64);
    for (long i = 0; i < blocks / 10; i++) {
        void **at = &block[next_number(&state) % (unsigned long)blocks];
        free(*at);
        *at = get(8 + next_number(&state) % 64);
    }
    for (long i = 0; i < blocks; i++)
        free(block[i]);
    free(block);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    rounds = atol(argv[2]);
    if (strcmp(argv[1], "exchange") == 0)
        exchange();
    else
        live(rounds);
    return 0;
}
