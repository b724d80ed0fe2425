// SPDX-License-Identifier: GPL-3.0-or-later
// As time.c, of a template: what branches of its instances took is on the same lines, and
// each instance has branches of its own.

#include "testsuite/views/kernel.h"

#include <cstdio>

static volatile int three = 3;
static double often, seldom;

template <class T> __attribute__((noinline)) static T work(int n, T x)
{
    double start = KERNEL_SECONDS();
    if (n & three) {
        for (long i = 0; i < 40000; i++)
            x = x * T(KERNEL_ALPHA) + 11;
        if (n == three * 1000)
            x++;
        often += KERNEL_SECONDS() - start;
    } else {
        for (long i = 0; i < 40000; i++)
            x = x * T(KERNEL_BETA) + 11;
        seldom += KERNEL_SECONDS() - start;
    }
    return x;
}

int main()
{
    uint64_t x = 1;
    uint32_t y = 1;
    for (int n = 0; often + seldom < KERNEL_RUN; n++) {
        x = work<uint64_t>(n, x);
        y = work<uint32_t>(n, y);
    }
    printf("%.3f %d\n", often / (often + seldom), x + y == 0);
    return 0;
}
