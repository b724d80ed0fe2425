// SPDX-License-Identifier: GPL-3.0-or-later
// Constructors and destructors with one body for whole objects and for bases, and functions that are called by other
// names than their own; with -DMAIN the program that calls them from another unit.

struct base {
    int x;
    base(int n);
    virtual ~base();
};
struct derived : base {
    derived(int n);
    ~derived();
};
extern "C" int by_alias(int x);
int here();

#ifndef MAIN

base::base(int n) : x(n) {}
base::~base() { x = 0; }
derived::derived(int n) : base(n + 1) {}
derived::~derived() { x = 1; }
extern "C" __attribute__((noipa)) int body(int x) { return x + 1; }

extern "C" int other(int x) __attribute__((alias("body")));
extern "C" int by_alias(int x) __attribute__((alias("other")));

int here()
{
    base one(1);
    derived two(2);
    return other(one.x) + other(two.x) + by_alias(one.x);
}

#else

int main()
{
    int sum = here();
    for (int i = 0; i < 3; i++) {
        base *object = new derived(i);
        sum += by_alias(object->x);
        delete object;
    }
    base alone(sum);
    return by_alias(alone.x) == 0;
}

#endif
