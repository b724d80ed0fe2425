// SPDX-License-Identifier: GPL-3.0-or-later
// Virtual functions, a constructor of several bodies, a template.
#include <cstdio>

struct base {
    virtual int value(int x) const { return x; }
    virtual ~base() {}
};

struct derived : virtual base {
    int more;
    derived(int m) : more(m) {}
    int value(int x) const override { return x + more; }
};

template <class T> static T twice(T x) { return x + x; }

static int ask(const base &b, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += b.value(i);
    return sum;
}

int main()
{
    derived d(3);
    base b;
    std::printf("%d\n", ask(d, 6) + ask(b, 4) + twice(2) + (int)twice(2.5));
}
