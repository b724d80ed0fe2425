// SPDX-License-Identifier: GPL-3.0-or-later
// beta, after a precompiled header.

#include "pch.h"

#include <stdio.h>

static inline uint64_t beta(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_BETA, steps);
    return x;
}

int main(void)
{
    double end = KERNEL_SECONDS() + KERNEL_RUN, first = 0, second = 0;
    uint64_t x = 1, random = 88172645463325252u;

    while (KERNEL_SECONDS() < end) {
        long unit = kernel_random(&random, 5000, 15000);

        KERNEL_TIMED(first, x = alpha(x, 60 * unit));
        KERNEL_TIMED(second, x = beta(x, 40 * unit));
    }
    printf("first: %.2f\n", 100 * first / (first + second));
    return x == 0;
}
