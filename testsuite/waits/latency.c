// SPDX-License-Identifier: GPL-3.0-or-later
// The same CPU time, with another number of threads that run: alone, with one thread;
// together, with two; beside, with one while three others wait for a lock, a condition
// and a pipe.

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#define SECONDS 0.6

static atomic_int ready, stopped, waiting;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ends[2];
static volatile unsigned long alone_steps, beside_steps, together_steps[2][64];

static double cpu(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

__attribute__((noinline)) static void alone(void)
{
    for (int i = 0; i < 100000; i++)
        alone_steps++;
}

__attribute__((noinline)) static void together(int number)
{
    for (int i = 0; i < 100000; i++)
        together_steps[number][0] += 3;
}

__attribute__((noinline)) static void beside(void)
{
    for (int i = 0; i < 100000; i++)
        beside_steps += 7;
}

// Starts when both threads run, and ends when one of them has used its time.
static void *run(void *argument)
{
    int number = argument != NULL;
    ready++;
    while (ready < 2) {
    }
    for (double end = cpu() + SECONDS / 2; cpu() < end && !stopped;)
        together(number);
    stopped = 1;
    return NULL;
}

static void *lock(void *argument)
{
    waiting++;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void *wait(void *argument)
{
    pthread_mutex_lock(&guard);
    waiting++;
    while (waiting >= 0)
        pthread_cond_wait(&condition, &guard);
    pthread_mutex_unlock(&guard);
    return argument;
}

static void *receive(void *argument)
{
    char byte;
    waiting++;
    return read(ends[0], &byte, 1) == 1 ? argument : NULL;
}

int main(void)
{
    pthread_t threads[3];
    double end = cpu() + SECONDS;
    while (cpu() < end)
        alone();

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, i ? &ready : NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);

    if (pipe(ends) != 0)
        return 1;
    pthread_mutex_lock(&mutex);
    pthread_create(&threads[0], NULL, lock, NULL);
    pthread_create(&threads[1], NULL, wait, NULL);
    pthread_create(&threads[2], NULL, receive, NULL);
    while (waiting < 3)
        usleep(1000);
    usleep(20000); // until they have made their calls
    for (end = cpu() + SECONDS; cpu() < end;)
        beside();
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&guard);
    waiting = -1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&guard);
    if (write(ends[1], "", 1) != 1)
        return 1;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
