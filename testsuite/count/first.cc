// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of this file and of second.cc: 10 derived here, and 17 of most, 10 here and 7 there.
//: base::~base 27, base::value 0, derived::derived 27, derived::value 27, derived::~derived 27, inlined 44, main 1
//: second 1
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
