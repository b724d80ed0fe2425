// SPDX-License-Identifier: GPL-3.0-or-later
// Constructs of OpenMP of other forms: bodies that end with a call, one in the code of
// another function, one of two threads and one of four by turns, a task that is run where
// it stands, a loop that GCC makes threads of (-ftree-parallelize-loops).  Prints of
// three
//
//     NAME work lost
//
// the CPU time of its threads in seconds, and what part of the longest one's would be
// gone if both had the mean.

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ONLY, LAST, AT_ONCE, REST, CONSTRUCTS };

static volatile double sink;
static double cells[4000];
static int construct = REST;
static double own[CONSTRUCTS][4];

static double cpu(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

__attribute__((noipa)) void burn(int units)
{
    double x = 1, begin = cpu();
    for (long i = 0; i < 1500000L * units; i++)
        x = x * 1.0000001 + 1e-9;
    sink = x;
    own[construct][omp_get_thread_num()] += cpu() - begin;
}

__attribute__((noipa)) void alone(int units)
{
    burn(units);
    sink++;
}

__attribute__((noipa)) static void only(void)
{
#pragma omp parallel num_threads(2)
    alone(omp_get_thread_num() ? 5 : 10);
    sink++;
}

__attribute__((noipa)) static void last(void)
{
#pragma omp parallel num_threads(2)
    burn(omp_get_thread_num() ? 10 : 5);
}

__attribute__((noipa)) static void other(void)
{
#pragma omp parallel num_threads(4)
    burn(2);
    sink++;
}

__attribute__((noipa)) static void at_once(int now)
{
#pragma omp task if (!now)
    {
        burn(6);
        sink++;
    }
}

// The addresses of both functions are made before the loop.
__attribute__((noipa)) static void turns(int rounds)
{
    for (int i = 0; i < rounds; i++) {
#pragma omp parallel num_threads(2)
        {
            burn(i ? 1 : 2);
            sink++;
        }
#pragma omp parallel num_threads(2)
        sink++;
    }
}

__attribute__((noipa)) static void spread(double *cell)
{
    for (int i = 0; i < 4000; i++) {
        double x = cell[i];
        for (int k = 0; k < 2000; k++)
            x = x * 1.0000001 + 1e-9;
        cell[i] = x;
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 5;
    for (int i = 0; i < rounds; i++) {
        construct = ONLY;
        only();
        construct = LAST;
        last();
        construct = REST;
        other();
        construct = AT_ONCE;
        at_once(1);
        construct = REST;
        turns(5);
        spread(cells);
    }
    for (int i = 0; i < REST; i++) {
        static const char *const names[] = {"only", "last", "at_once"};
        double work = own[i][0] + own[i][1];
        double most = own[i][0] > own[i][1] ? own[i][0] : own[i][1];
        printf("%s %.4f %.4f\n", names[i], work, (most - work / 2) / most);
    }
    return 0;
}
