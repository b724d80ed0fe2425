// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared.h"

int second(int n)
{
    int sum = 0;
    for (int i = 0; i < 7; i++) {
        most here;
        const base &any = here;
        sum += any.value() + inlined(n);
    }
    return sum;
}
