// SPDX-License-Identifier: GPL-3.0-or-later
// In a shared object with many counters: threads that all end at about the same time (crowd), and threads that never
// stop calling (busy).

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile _Thread_local int sink;
static pthread_barrier_t all;

__attribute__((noinline)) static void step(void) { sink++; }

static void *begin(void *none)
{
    pthread_barrier_wait(&all);
    for (int i = 0; i < 1000; i++)
        step();
    return none;
}

void crowd(int count)
{
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    pthread_attr_t small;
    pthread_barrier_init(&all, NULL, (unsigned)count + 1);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], &small, begin, NULL))
            exit(1);
    pthread_barrier_wait(&all);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

static void *never_ends(void *none)
{
    for (;;)
        step();
    return none;
}

void busy(int count)
{
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, never_ends, NULL))
            exit(1);
    }
    usleep(50000);
}
