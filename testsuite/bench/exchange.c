/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eight threads that free each other's blocks: each puts what it allocates into a slot
   and frees what it finds there.  `exchange ROUNDS`.  */

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 8
#define SLOTS   1024

static _Atomic(void *) slot[SLOTS];
static long rounds = 1000000;

static void *work(void *argument)
{
    unsigned state = (unsigned)(uintptr_t)argument * 7919 + 1;

    for (long i = 0; i < rounds; i++) {
        state = state * 1103515245 + 12345;
        char *block = malloc(16 + (state >> 24));
        if (!block)
            abort();
        block[0] = 1;
        free(atomic_exchange(&slot[state >> 8 & (SLOTS - 1)], block));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];

    if (argc > 1)
        rounds = atol(argv[1]);
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
            abort();
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < SLOTS; i++)
        free(slot[i]);
    return 0;
}
