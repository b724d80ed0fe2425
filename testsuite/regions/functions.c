/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions with stopwatches, in C: each call is entered and left once, however it is
   left and wherever it was inlined.  */

#include <setjmp.h>
#include <stdio.h>

#include "ccprof.h"

#define NOINLINE __attribute__((noinline, noclone))
#define INLINE   static __inline__ __attribute__((always_inline))

static volatile int one = 1;
static volatile int sink;
static jmp_buf back;

/* Has watches of its own kind: its callers know that it changes few registers.  */
static NOINLINE int quiet(int x, double d)
{
    if (x > 5)
        return x;
    return x * 3 + (int)d;
}

/* So many values that some are kept in registers that `quiet' leaves alone.  */
static NOINLINE long keeps(const volatile long *at)
{
    long a = at[0], b = at[1], c = at[2], d = at[3], e = at[4], f = at[5], g = at[6];
    long h = at[7], i = at[8], j = at[9], k = at[10], l = at[11];
    double x = (double)at[1], y = (double)at[2];
    int q = quiet((int)a, x);
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j +
           11 * k + 12 * l + q + (long)(x * y);
}

NOINLINE int outside(int x)
{
    CCPROF_STOPWATCH("outside");
    return x + one;
}

INLINE int copy(int x)
{
    if (x > 3)
        return outside(x) + 1;
    return x * 2 + one;
}

static NOINLINE int copies(int x)
{
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += copy(x + i);
    return sum + copy(x);
}

INLINE int around(int x)
{
    return copy(x) + outside(x) + copy(x + 1);
}

static NOINLINE int in_around(int x)
{
    int r = around(x);
    outside(0);
    return r;
}

NOINLINE int recurses(int x)
{
    int r = outside(x);
    if (x > 1)
        r += recurses(x - 1) * outside(0);
    return r;
}

static NOINLINE void jumps(int x)
{
    outside(x);
    if (x)
        longjmp(back, x);
    sink = outside(x);
}

/* Goes on after a longjmp that its own call has made.  */
NOINLINE int goes_on(int x)
{
    volatile int r = outside(x);
    int jumped = setjmp(back);
    if (jumped == 0)
        jumps(x);
    r = r + copy(jumped);
    return r;
}

static NOINLINE int computed(int x)
{
    static void *const targets[] = {&&add, &&copied, &&out};
    static const char steps[] = {0, 1, 0, 2};
    const char *step = steps;
    int r = x;
    goto *targets[(int)*step++];
add:
    r += one;
    goto *targets[(int)*step++];
copied:
    r += copy(r);
    goto *targets[(int)*step++];
out:
    return r + outside(0);
}

int main(void)
{
    static volatile long numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

    printf("%ld %d\n", keeps(numbers), quiet(one * 7, 0));
    printf("%d %d\n", copies(one), copies(one * 3));
    printf("%d %d\n", in_around(one * 3), recurses(one * 2));
    printf("%d %d %d\n", goes_on(one - 1), computed(one), goes_on(one));
    return 0;
}
