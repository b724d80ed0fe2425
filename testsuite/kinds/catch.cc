// SPDX-License-Identifier: GPL-3.0-or-later
// Time after an exception that came through three functions belongs to whoever
// caught it, and so does the time in its handler: third has 10 %, the destructor 10 %,
// catcher 80 %. It prints what they had in this run, by its clock, in percent.

#include <stdio.h>
#include "kernel.h"

static volatile uint64_t sink;
static double in_guard, in_third;

struct Guard {
    explicit Guard(long steps) : steps(steps)
    {
    }
    ~Guard()
    {
        uint64_t x = 1;

        KERNEL_TIMED(in_guard, KERNEL_SPIN(x, KERNEL_GAMMA, steps));
        sink = x;
    }
    long steps;
};

static inline void third(long n)
{
    uint64_t x = 1;

    KERNEL_TIMED(in_third, KERNEL_SPIN(x, KERNEL_DELTA, n));
    sink = x;
    if (n > 0)
        throw n;
}

static inline void second(long n)
{
    Guard guard(n);

    third(n);
}

static inline void first(long n)
{
    second(n);
}

__attribute__((noinline)) static void catcher(long steps)
{
    uint64_t x = 1;
    long six = 6 * steps / 10, two = 2 * steps / 10;

    try {
        first(steps / 10);
    } catch (long) {
        KERNEL_SPIN(x, KERNEL_ALPHA, six);
    }
    KERNEL_SPIN(x, KERNEL_BETA, two);
    sink = x;
}

int main()
{
    double start = KERNEL_SECONDS(), took = 0;
    uint64_t random = 88172645463325252u;

    for (; took < KERNEL_RUN; took = KERNEL_SECONDS() - start)
        catcher(kernel_random(&random, 500000, 1500000));
    printf("catcher %.2f\nthird %.2f\nGuard::~Guard %.2f\n",
           100 * (took - in_third - in_guard) / took, 100 * in_third / took,
           100 * in_guard / took);
    return 0;
}
