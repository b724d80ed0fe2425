// SPDX-License-Identifier: GPL-3.0-or-later
// The first unit with the inline functions of comdat.h.

#include "comdat.h"

volatile uint64_t two_sink;

int main()
{
    TWO_RUN(forms::shared, second);
    return 0;
}
