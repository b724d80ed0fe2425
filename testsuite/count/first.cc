// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared.h"

int main()
{
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        base *p = new derived(i);
        sum += p->value();
        delete p;
        most m;
        sum += m.value() + inlined(i);
    }
    return second(sum) == 0;
}
