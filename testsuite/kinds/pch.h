/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A header to be precompiled, with alpha.  */

#ifndef FORMS_PCH_H
#define FORMS_PCH_H

#include "kernel.h"

static inline uint64_t alpha(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_ALPHA, steps);
    return x;
}

#endif
