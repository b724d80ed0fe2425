// SPDX-License-Identifier: GPL-3.0-or-later
// GNU C's nested functions, called directly and through a pointer.

#include "kernel.h"

__attribute__((noinline)) static uint64_t apply(uint64_t (*f)(uint64_t), uint64_t x)
{
    return f(x);
}

static uint64_t outer(uint64_t x, long steps)
{
    uint64_t inner(uint64_t y)
    {
        KERNEL_SPIN(y, KERNEL_ALPHA, steps);
        return y;
    }

    return inner(x);
}

static uint64_t by_pointer(uint64_t x, long steps)
{
    uint64_t inner(uint64_t y)
    {
        uint64_t innermost(uint64_t z)
        {
            KERNEL_SPIN(z, KERNEL_BETA, steps);
            return z;
        }

        return innermost(y) + (uint64_t)steps;
    }

    return apply(inner, x);
}

int main(int argc, char **argv)
{
    (void)argv;
    return outer(1, argc) + by_pointer(2, argc) == 3;
}
