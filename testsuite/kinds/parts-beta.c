// SPDX-License-Identifier: GPL-3.0-or-later
// beta, with all of its work in a helper.

#include "parts.h"

static inline uint64_t beta_work(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_BETA, steps);
    return x;
}

uint64_t beta(uint64_t x, long steps)
{
    return beta_work(x, steps) + 1;
}
