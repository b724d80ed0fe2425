/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that serve requests and wait for one lock, which is sometimes held for long:
   for the page's tracks, and their picture. */

#define _GNU_SOURCE
#include <ccprof.h>

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local volatile unsigned sink;

static void decode(unsigned rounds)
{
    CCPROF_STOPWATCH("decode");
    for (unsigned i = 0; i < rounds; i++)
        sink += i * i;
}

static void update(unsigned rounds)
{
    CCPROF_STOPWATCH("update");
    for (unsigned i = 0; i < rounds; i++)
        sink ^= i * 7;
}

static void *serve(void *number)
{
    unsigned seed = (unsigned)(uintptr_t)number;
    pthread_setname_np(pthread_self(), "server");
    for (int i = 0; i < 25; i++) {
        CCPROF_STOPWATCH("request");
        decode(200000 + (unsigned)rand_r(&seed) % 900000);
        {
            CCPROF_STOPWATCH("lock");
            pthread_mutex_lock(&lock);
        }
        update(300000);
        if (i % 12 == 7) {
            CCPROF_STOPWATCH("disk");
            usleep(9000);
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    {
        CCPROF_STOPWATCH("set up");
        update(9000000);
    }
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, serve, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
