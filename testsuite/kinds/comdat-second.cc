// SPDX-License-Identifier: GPL-3.0-or-later
// The second unit with the inline functions of comdat.h.

#include "comdat.h"

uint64_t second(uint64_t x, long steps)
{
    if (steps == 0)
        return forms::shared(x, steps);
    return forms::Work<2>::run(x, steps);
}
