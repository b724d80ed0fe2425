// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared.h"

int second(int n)
{
    int sum = 0;
    for (int i = 0; i < 7; i++) {
        std::unique_ptr<base> p(new most);
        sum += p->value() + inlined(n) + half(i);
    }
    return sum;
}
