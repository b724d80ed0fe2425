// SPDX-License-Identifier: GPL-3.0-or-later
// Time after longjmp belongs to the function that called setjmp: third has 1 part of 11,
// catcher 9, goer 1. It prints what they had in this run, by its clock, in percent.

#include <setjmp.h>
#include <stdio.h>
#include "kernel.h"

static volatile uint64_t sink;
static double in_goer, in_third, before_third;
static jmp_buf buffer;

__attribute__((noinline)) static void third(long steps)
{
    uint64_t x = 1;

    KERNEL_SPIN(x, KERNEL_DELTA, steps);
    sink = x;
    longjmp(buffer, 1);
}

static inline void second(long steps)
{
    third(steps);
    sink++;
}

static inline void first(long steps)
{
    second(steps);
    sink++;
}

__attribute__((noinline)) static void catcher(long steps)
{
    uint64_t x = 1;
    long six = 6 * steps / 10, three = 3 * steps / 10;

    before_third = KERNEL_SECONDS();
    if (setjmp(buffer) == 0) {
        first(steps / 10);
    } else {
        in_third += KERNEL_SECONDS() - before_third;
        KERNEL_SPIN(x, KERNEL_ALPHA, six);
    }
    KERNEL_SPIN(x, KERNEL_BETA, three);
    sink = x;
}

// A jump out of a nested function: GCC's non-local goto.
__attribute__((noinline)) static void call(void (*f)(long), long steps)
{
    f(steps);
}

__attribute__((noinline)) static void goer(long steps)
{
    __label__ out;
    uint64_t x = 1;
    long tenth = steps / 10;

    void inner(long n)
    {
        sink += (uint64_t)n;
        goto out;
    }

    call(inner, steps);
    sink++;
out:
    KERNEL_SPIN(x, KERNEL_GAMMA, tenth);
    sink = x;
}

int main(void)
{
    double start = KERNEL_SECONDS(), took = 0;
    uint64_t random = 88172645463325252u;

    for (; took < KERNEL_RUN; took = KERNEL_SECONDS() - start) {
        long steps = kernel_random(&random, 500000, 1500000);

        catcher(steps);
        KERNEL_TIMED(in_goer, goer(steps));
    }
    printf("catcher %.2f\nthird %.2f\ngoer %.2f\n",
           100 * (took - in_third - in_goer) / took, 100 * in_third / took,
           100 * in_goer / took);
    return 0;
}
