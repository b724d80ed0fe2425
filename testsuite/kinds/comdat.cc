// SPDX-License-Identifier: GPL-3.0-or-later
// Inline functions and templates of which each of two units brings a copy: the program's,
// and with -DSECOND another one.

#include "two.h"

namespace forms
{

template <int N> struct Work {
    static uint64_t helper(uint64_t x, long steps)
    {
        if (N == 1)
            KERNEL_SPIN(x, KERNEL_ALPHA, steps);
        else
            KERNEL_SPIN(x, KERNEL_BETA, steps);
        return x;
    }

    __attribute__((noinline)) static uint64_t run(uint64_t x, long steps)
    {
        return helper(x, steps) + 1;
    }
};

__attribute__((noinline)) inline uint64_t shared(uint64_t x, long steps)
{
    return Work<1>::run(x, steps) ^ 1;
}

} // namespace forms

uint64_t second(uint64_t x, long steps);

#ifdef SECOND

uint64_t second(uint64_t x, long steps)
{
    if (steps == 0)
        return forms::shared(x, steps);
    return forms::Work<2>::run(x, steps);
}

#else

volatile uint64_t two_sink;

int main()
{
    TWO_RUN(forms::shared, second);
    return 0;
}

#endif
