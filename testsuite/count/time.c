/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches that compute, each on lines of its own, and what each took by the clock of the
   process: the first of three quarters of the calls, the other of a quarter.  */

#include "testsuite/views/kernel.h"

#include <stdio.h>

static volatile int three = 3;
static double often, seldom;

__attribute__((noinline)) static uint64_t work(int n, uint64_t x)
{
    double start = KERNEL_SECONDS();
    if (n & three) {
        for (long i = 0; i < 40000; i++)
            x = x * KERNEL_ALPHA + 11;
        if (n == three * 1000)
            x++;
        often += KERNEL_SECONDS() - start;
    } else {
        for (long i = 0; i < 40000; i++)
            x = x * KERNEL_BETA + 11;
        seldom += KERNEL_SECONDS() - start;
    }
    return x;
}

int main(void)
{
    uint64_t x = 1;
    for (int n = 0; often + seldom < KERNEL_RUN; n++)
        x = work(n, x);
    printf("%.3f %d\n", often / (often + seldom), x == 0);
    return 0;
}
