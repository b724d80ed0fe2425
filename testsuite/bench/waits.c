// SPDX-License-Identifier: GPL-3.0-or-later
// waits THREADS STEPS NANOSECONDS: STEPS steps in all, each of which takes a mutex, works
// in it for NANOSECONDS, and works without it for as long. With one thread, another one
// only waits for the end.

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long steps, turns;
static volatile unsigned long shared;

// A turn takes about a nanosecond.
static inline void work(void)
{
    for (long i = 0; i < turns; i++)
        __asm__ volatile("" : : : "memory");
}

static void *run(void *argument)
{
    for (long i = 0; i < steps; i++) {
        pthread_mutex_lock(&mutex);
        shared++;
        work();
        pthread_mutex_unlock(&mutex);
        work();
    }
    return argument;
}

int main(int count, char **argument)
{
    pthread_t threads[64];
    if (count != 4)
        return 2;
    int number = atoi(argument[1]);
    steps = atol(argument[2]) / number;
    turns = atol(argument[3]) * 2;
    for (int i = 0; i < number; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
