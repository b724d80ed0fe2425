/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that free each other's blocks; with an argument they do nothing.  What is left
   in the end is the same in whatever order they run.  */

#include <stdatomic.h>
#include <stdbool.h>

#include "some.h"

#define THREADS 8
#define SLOTS   64
#ifndef ROUNDS
#define ROUNDS 20000
#endif

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
    start(threads, THREADS, work);
    join(threads, THREADS);
    return 0;
}
