/* SPDX-License-Identifier: GPL-3.0-or-later */
/* burn SECONDS THREADS [kill | PAUSE]: uses so much time, a third of it in one and the rest in two; prints its
   CPU time, and how many steps it made; and is killed, or sleeps. */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static double end;
static unsigned long steps;

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
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
    while (now(CLOCK_MONOTONIC) < end) {
        one();
        two();
        __atomic_fetch_add(&steps, 1, __ATOMIC_SEQ_CST);
    }
    return unused;
}

int main(int count, char **words)
{
    pthread_t thread;

    end = now(CLOCK_MONOTONIC) + atof(words[1]);
    if (atoi(words[2]) > 1)
        pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    if (atoi(words[2]) > 1)
        pthread_join(thread, NULL);
    if (count > 3 && strcmp(words[3], "kill") == 0)
        kill(getpid(), SIGKILL);
    if (count > 3)
        sleep((unsigned)atoi(words[3]));
    printf("%.6f %lu\n", now(CLOCK_PROCESS_CPUTIME_ID), steps);
    return 0;
}
