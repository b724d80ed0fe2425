// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of OpenMP constructs: of a loop in alpha; in beta of a task in a parallel
// region.

#include "kernel.h"

static volatile uint64_t sink;

static void alpha(long steps)
{
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 8; i++) {
        uint64_t x = (uint64_t)i;
        KERNEL_SPIN(x, KERNEL_ALPHA, steps);
        sink = x;
    }
}

static inline uint64_t helper(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_BETA, steps);
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
    alpha(1000);
    beta(1000);
    return 0;
}
