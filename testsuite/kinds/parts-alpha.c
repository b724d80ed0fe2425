// SPDX-License-Identifier: GPL-3.0-or-later
// alpha, with all of its work in a helper, and a function that nobody calls.

#include "parts.h"

uint64_t unused(uint64_t x, long steps);

static inline uint64_t alpha_work(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_ALPHA, steps);
    return x;
}

uint64_t alpha(uint64_t x, long steps)
{
    return alpha_work(x, steps) + 1;
}

uint64_t unused(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_GAMMA, steps);
    return x;
}
