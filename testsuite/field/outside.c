// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled without the plugin: works, and calls back now and then, as qsort does.

#include "outside.h"

double outside_spent;

uint64_t outside(uint64_t x, long turns, outside_callback *callback)
{
    for (long i = 0; i < turns; i++) {
        KERNEL_TIMED(outside_spent, KERNEL_SPIN(x, KERNEL_DELTA, 10000));
        x = callback(&x);
        KERNEL_TIMED(outside_spent, KERNEL_SPIN(x, KERNEL_DELTA, 10000));
    }
    return x;
}
