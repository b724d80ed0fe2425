// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled without the plugin: works, and calls back now and then, as qsort does.

#include "kernel.h"

uint64_t outside(uint64_t x, long turns, uint64_t (*callback)(uint64_t));

uint64_t outside(uint64_t x, long turns, uint64_t (*callback)(uint64_t))
{
    for (long i = 0; i < turns; i++) {
        KERNEL_SPIN(x, KERNEL_DELTA, 100);
        x = callback(x);
        KERNEL_SPIN(x, KERNEL_DELTA, 100);
    }
    return x;
}
