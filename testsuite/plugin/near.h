/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "deep/far.h"

static inline unsigned near(unsigned x)
{
    unsigned y = x ^ 0x55;
    return (far(y) * 0x19660d) ^ 0x77;
}
