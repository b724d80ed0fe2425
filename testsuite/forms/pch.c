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
    uint64_t x = 1;

    while (KERNEL_SECONDS() < end) {
        x = alpha(x, 600000);
        x = beta(x, 400000);
    }
    return x == 0;
}
