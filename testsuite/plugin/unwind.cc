// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions that pass through. Where GCC resumes unwinding (_Unwind_Resume) it has left
// the destructors of a scope: at the lines that say so, once in each.

#include <stdio.h>

static long left;

struct called {
    ~called();
};

__attribute__((noinline)) called::~called()
{
    left++;
}

struct inlined {
    ~inlined()
    {
        left += 2;
    }
};

__attribute__((noinline)) static void thrower(int x)
{
    if (x)
        throw x;
}

__attribute__((noinline)) static void one(int x)
{
    called it;
    thrower(x);
    thrower(x - 1);
} // leaves one

__attribute__((noinline)) static void two(int x)
{
    inlined it;
    thrower(x);
} // leaves two

static inline __attribute__((always_inline)) void inner(int x)
{
    inlined it, other;
    thrower(x);
} // is no function of its own

__attribute__((noinline)) static void outer(int x)
{
    called it;
    inner(x);
} // leaves outer

__attribute__((noinline)) static void passes(int x)
{
    try {
        thrower(x);
    } catch (long) { // leaves passes
        left++;
    }
}

int main()
{
    static void (*const all[])(int) = {one, two, outer, passes};

    for (auto f : all)
        try {
            f(2);
        } catch (int) { // leaves main
        }
    printf("%ld\n", left);
}
