// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline of three threads, whose bottleneck moves: `second' is slow for the items of
// the first half, and `third' for those of the second half. The work is a sleep, so that
// other programs on the machine change little; with `cpu', it is CPU time. Prints the
// length of the run in nanoseconds.
//
// pipeline ITEMS [cpu]: at least 20 for each half.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROOM 4

typedef struct Queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int first, count, item[ROOM];
} Queue;

static Queue queues[2] = {
    {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, {0}},
    {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, {0}}};
static int items, computes;
static volatile long steps[3][16];

static void put(Queue *queue, int item)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->count == ROOM)
        pthread_cond_wait(&queue->changed, &queue->lock);
    queue->item[(queue->first + queue->count++) % ROOM] = item;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

static int get(Queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->count == 0)
        pthread_cond_wait(&queue->changed, &queue->lock);
    int item = queue->item[queue->first];
    queue->first = (queue->first + 1) % ROOM;
    queue->count--;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    return item;
}

static double cpu(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static inline __attribute__((always_inline)) void work(int stage, long microseconds)
{
    if (computes)
        for (double end = cpu() + (double)microseconds; cpu() < end;)
            for (int i = 0; i < 20000; i++)
                steps[stage][0]++;
    else
        nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
}

__attribute__((noinline)) static void stage_first(int item)
{
    work(0, item >= 0 ? 500 : 0);
}

__attribute__((noinline)) static void stage_second(int item)
{
    work(1, item < items / 2 ? 4000 : 500);
}

__attribute__((noinline)) static void stage_third(int item)
{
    work(2, item < items / 2 ? 500 : 4000);
}

static void *first(void *unused)
{
    for (int item = 0; item < items; item++) {
        stage_first(item);
        put(&queues[0], item);
    }
    return unused;
}

static void *second(void *unused)
{
    for (int i = 0; i < items; i++) {
        int item = get(&queues[0]);
        stage_second(item);
        put(&queues[1], item);
    }
    return unused;
}

static void *third(void *unused)
{
    for (int i = 0; i < items; i++)
        stage_third(get(&queues[1]));
    return unused;
}

int main(int count, char **argument)
{
    void *(*const body[])(void *) = {first, second, third};
    const char *const name[] = {"first", "second", "third"};
    pthread_t threads[3];
    struct timespec begin, end;

    items = count > 1 ? atoi(argument[1]) : 100;
    computes = count > 2;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, body[i], NULL);
        pthread_setname_np(threads[i], name[i]);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%lld\n",
           (end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec);
    return 0;
}
