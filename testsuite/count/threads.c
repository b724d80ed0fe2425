// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that count at the same time: eight that end, one that is still running when the
// program exits, and one whose destructors call, in all rounds but the last.
//: destroys 1, destructor 3, ends 8, leaf 8028780, main 1, runs 1, work 8001

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

static __thread volatile int sink;
static pthread_barrier_t barrier;
static pthread_key_t key;

static inline void leaf(int i) { sink = i; }

__attribute__((noinline)) static void work(int n)
{
    for (int i = 0; i < n; i++)
        leaf(i);
}

static void *ends(void *n)
{
    for (int i = 0; i < 1000; i++)
        work(1000 + (int)(long)n);
    return NULL;
}

static void *runs(void *unused)
{
    work(777);
    pthread_barrier_wait(&barrier);
    for (;;)
        pthread_testcancel();
    return unused;
}

static void destructor(void *round)
{
    leaf(0);
    if ((long)round < PTHREAD_DESTRUCTOR_ITERATIONS - 1)
        pthread_setspecific(key, (void *)((long)round + 1));
}

static void *destroys(void *round)
{
    pthread_setspecific(key, round);
    return NULL;
}

int main(void)
{
    pthread_t threads[8], other;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_key_create(&key, destructor);
    pthread_create(&other, NULL, runs, NULL);
    for (long i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, ends, (void *)i);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    pthread_create(&other, NULL, destroys, (void *)1);
    pthread_join(other, NULL);
    pthread_barrier_wait(&barrier);
    exit(0);
}
