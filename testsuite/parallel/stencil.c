/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job of ranks that meet after each step, with a planted imbalance: the last one
   does 1.5 times the work of the others in relax. Each prints what its own clocks say in
   seconds: the CPU time of relax, and of each call how long MPI_Allreduce took.
   Arguments: how many steps; `abort': rank 2 ends that way 2.5 seconds after that, while
   the others go on. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORK 10000000

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double relax(double x, long n)
{
    for (long i = 0; i < n; i++)
        x = x * 0.999 + 0.5;
    return x;
}

static double smooth(double x, long n)
{
    for (long i = 0; i < n; i++)
        x = x / 1.001 + 0.25;
    return x;
}

static double met[100];
static int meetings;

static double exchange(double x)
{
    double sum, start;

    /* A thread whose turn is over gives way where its CPU time is read: now, not within.
     */
    seconds(CLOCK_THREAD_CPUTIME_ID);
    start = seconds(CLOCK_MONOTONIC);
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    met[meetings++ % 100] = seconds(CLOCK_MONOTONIC) - start;
    return sum;
}

/* Ends that way after so many seconds, a part of which it sleeps: what writes the
   data now and then goes by CPU time. */
static void leave(double x, double after)
{
    double end = seconds(CLOCK_MONOTONIC) + after;

    while (seconds(CLOCK_MONOTONIC) < end) {
        const struct timespec pause = {0, 20000000};

        x = smooth(x, WORK / 10);
        nanosleep(&pause, NULL);
    }
    fprintf(stderr, "%g\n", x);
    abort();
}

int main(int count, char **words)
{
    int rank, size;
    double took = 0, x;

    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    x = rank;
    for (long step = 0; step < atol(words[1]); step++) {
        double start = seconds(CLOCK_PROCESS_CPUTIME_ID);

        x = relax(x, rank == size - 1 ? WORK + WORK / 2 : WORK);
        took += seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        x = smooth(x, WORK / 4);
        x = exchange(x) / size;
    }
    if (count > 2 && strcmp(words[2], "abort") == 0)
        leave(x, rank == 2 ? 2.5 : 60);
    printf("rank %d %.4f %g\n", rank, took, x);
    for (int i = 0; i < meetings && i < 100; i++)
        printf("met %d %.6f\n", rank, met[i]);
    MPI_Finalize();
    return 0;
}
