// SPDX-License-Identifier: GPL-3.0-or-later
// A function that is told that its condition hardly ever holds, which is not so.

#include "two.h"

volatile uint64_t two_sink;

static inline uint64_t alpha(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_ALPHA, steps);
    return x;
}

// What leads to a call of a cold function is cold, says GCC.
__attribute__((cold)) static void note(void)
{
    two_sink++;
}

static inline uint64_t beta(uint64_t x, long steps)
{
    note();
    KERNEL_SPIN(x, KERNEL_BETA, steps);
    note();
    return x;
}

__attribute__((noinline)) static uint64_t work(uint64_t x, long steps, int rare)
{
    if (__builtin_expect(rare, 0))
        return beta(x, steps);
    return alpha(x, steps);
}

static uint64_t common(uint64_t x, long steps)
{
    return work(x, steps, 0);
}

static uint64_t rare(uint64_t x, long steps)
{
    return work(x, steps, 1);
}

int main(void)
{
    TWO_RUN(common, rare);
    return 0;
}
