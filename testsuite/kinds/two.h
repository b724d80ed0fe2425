/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sixty and forty percent, for KERNEL_RUN: see two.c. Where others have the machine,
   too, a turn may take twice the time of the next one; so the program prints what it was
   in this run. */

#ifndef FORMS_TWO_H
#define FORMS_TWO_H

#include "kernel.h"

#include <stdio.h>

/* Calls both until the time is over. */
#define TWO_RUN(alpha, beta)                                                             \
    do {                                                                                 \
        uint64_t two_random = 88172645463325252u, two_x = 1;                             \
        double two_end = KERNEL_SECONDS() + KERNEL_RUN, two_first = 0, two_second = 0;   \
                                                                                         \
        while (KERNEL_SECONDS() < two_end) {                                             \
            long two_unit = kernel_random(&two_random, 5000, 15000);                     \
                                                                                         \
            KERNEL_TIMED(two_first, two_x = alpha(two_x, 60 * two_unit));                \
            KERNEL_TIMED(two_second, two_x = beta(two_x, 40 * two_unit));                \
        }                                                                                \
        two_sink = two_x;                                                                \
        printf("first: %.2f\n", 100 * two_first / (two_first + two_second));             \
    } while (0)

extern volatile uint64_t two_sink;

#endif
