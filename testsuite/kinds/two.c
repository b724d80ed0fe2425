// SPDX-License-Identifier: GPL-3.0-or-later
// Two functions that are inlined into main wherever GCC inlines at all.

#include "two.h"

volatile uint64_t two_sink;

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

int main(void)
{
    TWO_RUN(alpha, beta);
    return 0;
}
