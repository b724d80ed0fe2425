// SPDX-License-Identifier: GPL-3.0-or-later
// A function with a cold part: what leads to a call of a cold function is cold, says GCC.

#include "kernel.h"

volatile uint64_t sink;

static inline uint64_t alpha(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_ALPHA, steps);
    return x;
}

__attribute__((cold)) static void note(void)
{
    sink++;
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
    return __builtin_expect(rare, 0) ? beta(x, steps) : alpha(x, steps);
}

int main(int argc, char **argv)
{
    (void)argv;
    return work(1, argc, 0) + work(2, argc, 1) == 3;
}
