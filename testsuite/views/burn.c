/* SPDX-License-Identifier: GPL-3.0-or-later */
/* burn SECONDS THREADS [kill | PAUSE]: uses so much time, less of it in one than in two;
   prints its CPU time, how many steps it made, and what per cent of the time of one and
   two was two's; and is killed, or sleeps.  */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static double end;
static unsigned long steps;
static long long spent_in_one, spent_in_two; /* nanoseconds */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long long used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

__attribute__((noinline)) static void one(void)
{
    for (int i = 0; i < 100000; i++)
        sink += (unsigned)i;
}

__attribute__((noinline)) static void two(void)
{
    for (int i = 0; i < 200000; i++)
        sink += (unsigned)i;
}

static void *work(void *unused)
{
    while (now() < end) {
        long long start = used(), middle;
        one();
        middle = used();
        two();
        __atomic_fetch_add(&spent_in_two, used() - middle, __ATOMIC_SEQ_CST);
        __atomic_fetch_add(&spent_in_one, middle - start, __ATOMIC_SEQ_CST);
        __atomic_fetch_add(&steps, 1, __ATOMIC_SEQ_CST);
    }
    return unused;
}

int main(int count, char **words)
{
    struct rusage usage;
    pthread_t thread;

    end = now() + atof(words[1]);
    if (atoi(words[2]) > 1)
        pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    if (atoi(words[2]) > 1)
        pthread_join(thread, NULL);
    if (count > 3 && strcmp(words[3], "kill") == 0)
        kill(getpid(), SIGKILL);
    if (count > 3)
        sleep((unsigned)atoi(words[3]));
    getrusage(RUSAGE_SELF, &usage);
    printf("%.6f %lu %.2f\n",
           (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6,
           steps,
           spent_in_two
               ? 100.0 * (double)spent_in_two / (double)(spent_in_one + spent_in_two)
               : 0);
    return 0;
}
