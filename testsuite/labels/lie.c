/* SPDX-License-Identifier: GPL-3.0-or-later */
/* f makes 10 expensive calls of h, g makes 100 cheap ones.  gprof knows the calls and the
   time of h, and takes all calls to cost the same (Graham, Kessler, McKusick: gprof, a
   call graph execution profiler, 1982).

   Prints the part of f in the time of both, in per cent, by the program's own clock.  */

#include <stdio.h>
#include <time.h>

#include "kernel.h"

/* An expensive call is a thousand times a cheap one: f has 10,000 of 10,100 parts.  */
#define CHEAP     60000L
#define EXPENSIVE (1000 * CHEAP)

/* No tail calls, no copies: gprof sees calls only.  */
#define KEEP       __attribute__((noinline, noclone, noipa))
#define NOT_LAST() __asm__ volatile("")

static volatile uint64_t sink;

static KEEP void h(long steps)
{
    uint64_t x = 1;
    KERNEL_SPIN(x, KERNEL_ALPHA, steps);
    sink = x;
}

static KEEP void f(void)
{
    for (int i = 0; i < 10; i++)
        h(EXPENSIVE);
    NOT_LAST();
}

static KEEP void g(void)
{
    for (int i = 0; i < 100; i++)
        h(CHEAP);
    NOT_LAST();
}

int main(void)
{
    clock_t start = clock(), middle, end;
    f();
    middle = clock();
    g();
    end = clock();
    printf("%.2f\n", 100.0 * (double)(middle - start) / (double)(end - start));
    return 0;
}
