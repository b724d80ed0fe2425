// SPDX-License-Identifier: GPL-3.0-or-later
// waits THREADS STEPS NANOSECONDS: STEPS steps in all, each of which takes a mutex, works
// in it for NANOSECONDS, and works without it for as long. With one thread, another one
// only waits for the end.
// waits STEPS: prints the time from before an unlock until the lock of a thread that
// spins for this mutex has returned, the tenth part and the median of STEPS ones.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

static _Atomic long turn;
static long released, *passed;

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000 + time.tv_nsec;
}

static void *take(void *argument)
{
    for (long i = 0; i < steps; i++) {
        while (turn != 2 * i + 1) {
        }
        pthread_mutex_lock(&mutex);
        passed[i] = now() - released;
        pthread_mutex_unlock(&mutex);
        turn = 2 * i + 2;
    }
    return argument;
}

static int compare(const void *a, const void *b)
{
    return *(const long *)a < *(const long *)b ? -1 : 1;
}

static int hand_over(long number)
{
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&mutex, &attributes);
    steps = number;
    passed = calloc((size_t)number, sizeof *passed);
    pthread_create(&thread, NULL, take, NULL);
    for (long i = 0; i < number; i++) {
        pthread_mutex_lock(&mutex);
        turn = 2 * i + 1;
        for (long start = released = now(); released - start < 10000;)
            released = now();
        pthread_mutex_unlock(&mutex);
        while (turn != 2 * i + 2) {
        }
    }
    pthread_join(thread, NULL);
    qsort(passed, (size_t)number, sizeof *passed, compare);
    printf("%ld %ld\n", passed[number / 10], passed[number / 2]);
    return 0;
}

int main(int count, char **argument)
{
    pthread_t threads[64];
    if (count == 2)
        return hand_over(atol(argument[1]));
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
