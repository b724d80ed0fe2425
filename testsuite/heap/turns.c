/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads whose peak is known: a large block is freed by each thread before the next one
   allocates another, while all keep small ones.  Prints what functions have, as has_cells
   takes it, and `about BYTES', the peak.  */

#include <stdio.h>

#include "some.h"

#define THREADS 8
#define ROUNDS  300
#define LARGE   1000000
#define SMALL   100
#define BLOCKS  200

static pthread_barrier_t barrier;

__attribute__((noinline)) static void *large(void)
{
    return checked(malloc(LARGE));
}

__attribute__((noinline)) static void *small(void)
{
    return checked(malloc(SMALL));
}

static void *take_turns(void *argument)
{
    const size_t number = (size_t)argument;
    void *block[BLOCKS];

    for (int i = 0; i < BLOCKS; i++)
        block[i] = small();
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&barrier);
        if (round % THREADS != (int)number)
            continue;
        void *at = large();
        for (int i = 0; i < 10; i++)
            free(small());
        free(at);
    }
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < BLOCKS; i++)
        free(block[i]);
    return NULL;
}

static void tell(const char *name, size_t blocks, size_t bytes)
{
    printf("%s all_blocks=%zu all_bytes=%zu freed_blocks=%zu freed_bytes=%zu\n", name,
           blocks, blocks * bytes, blocks, blocks * bytes);
}

int main(void)
{
    pthread_t thread[THREADS];

    pthread_barrier_init(&barrier, NULL, THREADS);
    start(thread, THREADS, take_turns);
    join(thread, THREADS);
    tell("small", THREADS * BLOCKS + ROUNDS * 10, SMALL);
    tell("large", ROUNDS, LARGE);
    printf("about %d\n", LARGE + (THREADS * BLOCKS + 1) * SMALL);
    return 0;
}
