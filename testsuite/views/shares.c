// SPDX-License-Identifier: GPL-3.0-or-later
// shares SECONDS ALPHA BETA GAMMA: spends that much CPU time, of each 100 steps
// ALPHA in alpha and so on, all of which GCC inlines into main.  In turns of
// random length, so that no clock beats in step with them.  Prints what each
// took and what the whole process took by getrusage, in seconds: the truth.

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "kernel.h"

enum { SHORTEST = 500000, LONGEST = 1500000 };

static inline uint64_t alpha(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_ALPHA, steps);
    return x;
}

static inline uint64_t beta(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_BETA, steps);
    return x;
}

static inline uint64_t gamma_(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_GAMMA, steps);
    return x;
}

static double rusage_seconds(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv)
{
    double took[3] = {0, 0, 0}, limit, now;
    uint64_t x = 1, random = UINT64_C(88172645463325252);
    int parts[3];

    if (argc != 5)
        return 2;
    limit = atof(argv[1]);
    for (int i = 0; i < 3; i++)
        parts[i] = atoi(argv[2 + i]);
    random += (uint64_t)time(NULL);
    now = KERNEL_SECONDS();
    while (now < limit) {
        long unit = kernel_random(&random, SHORTEST, LONGEST);
        double start = now, after_alpha, after_beta;

        x = alpha(x, unit * parts[0]);
        after_alpha = KERNEL_SECONDS();
        x = beta(x, unit * parts[1]);
        after_beta = KERNEL_SECONDS();
        x = gamma_(x, unit * parts[2]);
        now = KERNEL_SECONDS();
        took[0] += after_alpha - start;
        took[1] += after_beta - after_alpha;
        took[2] += now - after_beta;
    }
    printf("alpha %.3f\nbeta %.3f\ngamma_ %.3f\ntotal %.3f\nresult %llx\n", took[0],
           took[1], took[2], rusage_seconds(), (unsigned long long)x);
    return 0;
}
