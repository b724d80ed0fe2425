/* SPDX-License-Identifier: GPL-3.0-or-later */
/* first waits for outer, which second holds while it waits for inner, which third holds
   while it sleeps. The holders of own work while they hold it, and sleep or wait for a
   condition without it. */

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER,
                       inner = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t worked = PTHREAD_COND_INITIALIZER;
static int left = 120;
static pthread_barrier_t barrier;

static void meet(int ms)
{
    pthread_barrier_wait(&barrier);
    usleep(1000 * ms);
}

static void *first(void *unused)
{
    for (int i = 0; i < 10; i++) {
        meet(10);
        pthread_mutex_lock(&outer);
        pthread_mutex_unlock(&outer);
    }
    return unused;
}

static void *second(void *unused)
{
    for (int i = 0; i < 10; i++) {
        meet(5);
        pthread_mutex_lock(&outer);
        pthread_mutex_lock(&inner);
        pthread_mutex_unlock(&inner);
        pthread_mutex_unlock(&outer);
    }
    return unused;
}

static void *third(void *unused)
{
    for (int i = 0; i < 10; i++) {
        meet(0);
        pthread_mutex_lock(&inner);
        usleep(40000);
        pthread_mutex_unlock(&inner);
    }
    return unused;
}

static void work(int ms)
{
    struct timespec from, to;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    while ((to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec <
           ms * 1000000L);
}

static void *honest(void *unused)
{
    for (int i = 0; i < 40; i++) {
        pthread_mutex_lock(&own);
        work(4);
        left--;
        pthread_cond_signal(&worked);
        pthread_mutex_unlock(&own);
        usleep(4000);
    }
    return unused;
}

static void *observer(void *unused)
{
    pthread_mutex_lock(&own);
    while (left > 0)
        pthread_cond_wait(&worked, &own);
    pthread_mutex_unlock(&own);
    return unused;
}

int main(void)
{
    void *(*const starts[])(void *) = {first,  second, third,   honest,
                                       honest, honest, observer};
    pthread_t threads[7];
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 7; i++)
        pthread_create(&threads[i], NULL, starts[i], NULL);
    for (int i = 0; i < 7; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
