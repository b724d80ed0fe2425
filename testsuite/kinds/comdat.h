/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inline functions and templates of which each unit brings a copy.  */

#ifndef FORMS_COMDAT_H
#define FORMS_COMDAT_H

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

#endif
