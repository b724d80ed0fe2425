// SPDX-License-Identifier: GPL-3.0-or-later
// A callback whose address only another unit has.

#include "outside.h"

double elsewhere_spent;

uint64_t callback_elsewhere(const void *x)
{
    uint64_t next = *(const uint64_t *)x;

    KERNEL_TIMED(elsewhere_spent, KERNEL_SPIN(next, KERNEL_ALPHA, 20000));
    return next;
}
