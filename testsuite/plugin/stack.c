// SPDX-License-Identifier: GPL-3.0-or-later
// far is inlined in near, near in work and in both branches of twice; each function's
// product can be found by its constant.

#include "near.h"

int stack_sink;

__attribute__((noinline)) int work(int x)
{
    int left = near(x);
    return left * 0x3ade68bu;
}

__attribute__((noinline)) int alone(int x)
{
    return x * 0x2545f49u;
}

__attribute__((noinline)) int twice(int x)
{
    if (x & 1)
        stack_sink = near(x + 1);
    else
        stack_sink = near(alone(x)) + far(x);
    return stack_sink;
}

int main(int argc, char **argv)
{
    (void)argv;
    return work(argc) + twice(argc) == 1;
}
