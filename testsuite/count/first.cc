// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared.h"

#include <stdexcept>

static int thrower(int n)
{
    if (n % 2)
        throw std::runtime_error("odd");
    return n;
}

static int catcher(int n)
{
    try {
        return thrower(n);
    } catch (const std::exception &) {
        return -1;
    }
}

int main()
{
    int sum = 0;
    auto add = [&sum](int x) { sum += x; };
    for (int i = 0; i < 10; i++) {
        base *p = new derived(i);
        add(p->value());
        delete p;
        most m;
        add(m.value() + catcher(i) + inlined(i));
    }
    return second(sum) == 0;
}
