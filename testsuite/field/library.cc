// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled without the plugin.

#include "library.h"

uint64_t Library::work(uint64_t x, long turns)
{
    for (long i = 0; i < turns; i++) {
        KERNEL_TIMED(spent, KERNEL_SPIN(x, KERNEL_DELTA, 10000));
        x = next(x);
        KERNEL_TIMED(spent, KERNEL_SPIN(x, KERNEL_DELTA, 10000));
    }
    return x;
}
