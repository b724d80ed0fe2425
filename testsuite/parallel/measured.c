// SPDX-License-Identifier: GPL-3.0-or-later
// Constructs of OpenMP that measure themselves: each thread adds up by the clock what it
// worked and waited, and by its CPU clock what it worked. Prints for each construct
//
//     NAME work inside end lost
//
// in seconds, of all threads, and what part of the longest thread's CPU time would be
// gone if all had the mean; of tasks `NAME work'; then `idle' and `all'. For C and C++.

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { UNEVEN, MIDDLE, QUEUE, OUTER, INNER, CONSTRUCTS };
#define THREADS 4

static const char *const names[CONSTRUCTS] = {"uneven", "middle", "queue", "outer",
                                              "inner"};

static struct own {
    double work, inside, end, cpu, left;
    double unshared[8];
} own[CONSTRUCTS][THREADS];

static double tasks, idle;
static volatile double sink;

static double seconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double now(void)
{
    return seconds(CLOCK_MONOTONIC);
}

static __attribute__((noipa)) void burn(int units)
{
    double x = 1;
    for (long i = 0; i < 1500000L * units; i++)
        x = x * 1.0000001 + 1e-9;
    sink = x;
}

static void work(struct own *mine, int units)
{
    double begin = now(), cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    burn(units);
    mine->cpu += seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    mine->left = now();
    mine->work += mine->left - begin;
}

static void ended(int construct, int threads)
{
    double end = now();
    for (int i = 0; i < threads; i++)
        own[construct][i].end += end - own[construct][i].left;
}

// One of four has half as much again to do.
static void uneven(void)
{
#pragma omp parallel num_threads(THREADS)
    {
        int thread = omp_get_thread_num();
        work(&own[UNEVEN][thread], thread == 2 ? 15 : 10);
    }
    ended(UNEVEN, THREADS);
}

// Waiting in the middle, and little at the end.
static void middle(void)
{
#pragma omp parallel num_threads(THREADS)
    {
        int thread = omp_get_thread_num();
        struct own *mine = &own[MIDDLE][thread];
        work(mine, thread ? 2 : 12);
#pragma omp barrier
        mine->inside += now() - mine->left;
        work(mine, 3);
    }
    ended(MIDDLE, THREADS);
}

// Tasks, of which the last is long.
static void queue(void)
{
    double begin = now(), worked = tasks;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int i = 0; i < 12; i++)
#pragma omp task
    {
        struct own mine = {0};
        work(&mine, i == 11 ? 12 : 2);
#pragma omp atomic
        tasks += mine.work;
    }
    own[QUEUE][0].end += THREADS * (now() - begin) - (tasks - worked);
}

// Each of two threads has two.
static void inner(int number)
{
    double end;
#pragma omp parallel num_threads(2)
    {
        int thread = omp_get_thread_num();
        work(&own[INNER][2 * number + thread], thread ? 4 : 8);
    }
    end = now();
    for (int i = 2 * number; i < 2 * number + 2; i++)
        own[INNER][i].end += end - own[INNER][i].left;
    own[OUTER][number].left = end;
}

static void outer(void)
{
#pragma omp parallel num_threads(THREADS)
    {
        int thread = omp_get_thread_num();
        work(&own[OUTER][thread], 3);
        if (thread < 2)
            inner(thread);
    }
    ended(OUTER, THREADS);
}

static void print(int construct, int threads)
{
    struct own sum = {0};
    double most = 0;
    for (int i = 0; i < threads; i++) {
        const struct own *mine = &own[construct][i];
        sum.work += mine->work;
        sum.inside += mine->inside;
        sum.end += mine->end;
        sum.cpu += mine->cpu;
        most = mine->cpu > most ? mine->cpu : most;
    }
    printf("%s %.4f %.4f %.4f %.4f\n", names[construct], sum.work, sum.inside, sum.end,
           most > 0 ? 1 - sum.cpu / threads / most : 0);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 2;
    double begin = now();
    omp_set_max_active_levels(2);
    for (int i = 0; i < rounds; i++) {
        double alone = now();
        burn(5);
        idle += i ? (THREADS - 1) * (now() - alone) : 0;
        uneven();
        middle();
        queue();
        outer();
    }
    for (int i = 0; i < CONSTRUCTS; i++)
        print(i, THREADS);
    printf("tasks %.4f\nidle %.4f\nall %.4f\n", tasks, idle, now() - begin);
    return 0;
}
