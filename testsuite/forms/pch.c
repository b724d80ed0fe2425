// SPDX-License-Identifier: GPL-3.0-or-later
// beta, after a precompiled header.

#include "pch.h"

static inline uint64_t beta(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_BETA, steps);
    return x;
}

int main(void)
{
    double end = KERNEL_SECONDS() + 0.3;
    uint64_t x = 1, random = 88172645463325252u;

    while (KERNEL_SECONDS() < end) {
        long unit = kernel_random(&random, 5000, 15000);

        x = alpha(x, 60 * unit);
        x = beta(x, 40 * unit);
    }
    return x == 0;
}
