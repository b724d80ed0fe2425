// SPDX-License-Identifier: GPL-3.0-or-later
// Time after longjmp belongs to the function that called setjmp.

#include <setjmp.h>
#include "kernel.h"

static volatile uint64_t sink;
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

    if (setjmp(buffer) == 0)
        first(steps / 10);
    else
        KERNEL_SPIN(x, KERNEL_ALPHA, 6 * steps / 10);
    KERNEL_SPIN(x, KERNEL_BETA, 3 * steps / 10);
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

    void inner(long n)
    {
        sink += (uint64_t)n;
        goto out;
    }

    call(inner, steps);
    sink++;
out:
    KERNEL_SPIN(x, KERNEL_GAMMA, steps / 10);
    sink = x;
}

int main(void)
{
    double end = KERNEL_SECONDS() + 0.3;
    uint64_t random = 88172645463325252u;

    while (KERNEL_SECONDS() < end) {
        catcher(kernel_random(&random, 500000, 1500000));
        goer(kernel_random(&random, 500000, 1500000));
    }
    return 0;
}
