// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of OpenMP constructs: 8 times 10 units in alpha, 53 in beta, hence 60 % and 40
// %, unless two threads at once are slower than one. It prints what the first had of both
// in this run, by the threads' clocks. A round takes a tenth of a second: where the
// timers of a machine are late, a thread's last sample of a body comes where it waits for
// the next one.

#include "two.h"

static volatile uint64_t sink;
static double in_alpha, in_beta;

// CPU time of this thread since START.
static inline double since(double start)
{
    return kernel_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

static void alpha(long steps)
{
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 8; i++) {
        uint64_t x = (uint64_t)i;
        double start = kernel_seconds(CLOCK_THREAD_CPUTIME_ID);

        KERNEL_SPIN(x, KERNEL_ALPHA, steps);
        sink = x;
#pragma omp atomic
        in_alpha += since(start);
    }
}

static inline uint64_t helper(uint64_t x, long steps)
{
    double start = kernel_seconds(CLOCK_THREAD_CPUTIME_ID);

    KERNEL_SPIN(x, KERNEL_BETA, steps);
    sink = x;
    in_beta += since(start);
    return x;
}

static void beta(long steps)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
    sink = helper(1, steps);
}

int main(void)
{
    double end = KERNEL_SECONDS() + 0.4;
    uint64_t random = 88172645463325252u;

    while (KERNEL_SECONDS() < end) {
        long unit = kernel_random(&random, 500000, 1500000);

        alpha(10 * unit);
        beta(53 * unit);
    }
    printf("first: %.2f\n", 100 * in_alpha / (in_alpha + in_beta));
    return 0;
}
