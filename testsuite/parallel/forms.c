// SPDX-License-Identifier: GPL-3.0-or-later
// Constructs of OpenMP of other forms: bodies that end with a call, one in the code of
// another function, one of two threads and one of four by turns, a task that is run where
// it stands, a loop that GCC makes threads of (-ftree-parallelize-loops).

#include <omp.h>
#include <stdlib.h>

static volatile double sink;
static double cells[4000];

__attribute__((noipa)) void burn(int units)
{
    double x = 1;
    for (long i = 0; i < 1500000L * units; i++)
        x = x * 1.0000001 + 1e-9;
    sink = x;
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
        only();
        last();
        other();
        at_once(1);
        turns(5);
        spread(cells);
    }
    return 0;
}
