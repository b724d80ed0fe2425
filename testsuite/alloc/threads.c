// SPDX-License-Identifier: GPL-3.0-or-later
// Eight threads allocate, in the executable and in a shared object.

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "shared.h"

#define THREADS 8
#define ROUNDS  20000

static void *run(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        // Volatile, so that no pair of malloc and free is deleted.
        void *volatile own = malloc(i % 100), *volatile plain = shared_plain(10);
        void *volatile piece = shared_pool(4);
        free(own);
        free(plain);
        free(piece);
    }
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    void *volatile last = shared_plain(1);
    free(last);
}
