/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that free each other's blocks; with an argument they do nothing.  What is left
   in the end is the same in whatever order they run.  */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define THREADS 8
#define ROUNDS  20000
#define SLOTS   64

static _Atomic(void *) slot[SLOTS];
static bool idle;

static void *work(void *argument)
{
    unsigned state = (unsigned)(size_t)argument * 7919 + 1;

    for (int i = 0; !idle && i < ROUNDS; i++) {
        state = state * 1103515245 + 12345;
        unsigned number = (state >> 8) % SLOTS;
        void *block = malloc(16 + 8 * number);
        free(atomic_exchange(&slot[number], block));
    }
    return NULL;
}

int main(int count, char **argument)
{
    pthread_t threads[THREADS];

    (void)argument;
    idle = count > 1;
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
            abort();
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
