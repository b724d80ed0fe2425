// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of one name and line: instances of a template, and overloads.

static volatile unsigned sink;

template <class Body> __attribute__((noinline)) static void timed(Body body)
{
    body();
}

struct S {
    // clang-format off
    __attribute__((noinline)) static void f(int) { sink = sink + 1; } __attribute__((noinline)) static void f(double) { sink = sink + 2; }
    // clang-format on
};

int main()
{
    for (int i = 0; i < 3; i++)
        timed([] { S::f(1); });
    for (int i = 0; i < 4; i++)
        timed([] { S::f(2.0); });
}
