// SPDX-License-Identifier: GPL-3.0-or-later
// Constructors and destructors with one body for whole objects and for bases, and
// functions that are called by other names than their own.
#include "aliases.h"

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
