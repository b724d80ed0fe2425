/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each way out of a CCPROF_REGION in C; the program prints the same as without it. */

#include <stdio.h>

#include "ccprof.h"

#define NOINLINE __attribute__((noinline))

static volatile int one = 1;
static int sum;

static NOINLINE int returns(int x)
{
    CCPROF_REGION("a")
    {
        if (x)
            return x + 1;
        sum++;
    }
    return 7;
}

static NOINLINE int loops(void)
{
    int n = 0;
    for (int i = 0; i < 4; i++)
        CCPROF_REGION("l")
        {
            if (i == 1)
                continue;
            if (i == 3)
                break;
            n += i + 1;
        }
    return n;
}

static NOINLINE int jumps(int x)
{
again:
    CCPROF_REGION("o")
    {
        CCPROF_REGION("i")
        {
            if (x == 1) {
                x = 2;
                goto again;
            }
            if (x == 2)
                goto middle;
            sum += 10;
        }
        sum += 100;
    middle:
        sum += 1000;
    }
    return x;
}

static NOINLINE int switches(int x)
{
    int r = 0;
    switch (x) {
    case 1:
        CCPROF_REGION("s")
        {
            r = 1;
            break;
        }
    case 2:
        CCPROF_REGION("t") r += 2;
        /* Falls through. */
    default:
        r += 4;
    }
    return r;
}

static NOINLINE int statement(int x)
{
    int y = ({
        int z = 0;
        CCPROF_REGION("e")
        {
            z = x * 2;
            if (x == 5)
                return 99;
        }
        z;
    });
    if (x)
        CCPROF_REGION("f")
    y++;
    else y--;
    return y;
}

static NOINLINE int nested(int x)
{
    __label__ out;
    int r = 0;
    int inner(int y)
    {
        CCPROF_REGION("n")
        {
            r += y;
            if (y > 2)
                return r * 10;
        }
        return r;
    }
    int leaves(int y)
    {
        CCPROF_REGION("m")
        {
            if (y > 2)
                goto out;
        }
        return 1;
    }
    CCPROF_REGION("w")
    {
        r += inner(x);
        r += leaves(1);
        if (x == 3)
            r += leaves(x);
    }
    return r;
out:
    return -r;
}

static NOINLINE int expressions(int x)
{
    int n = 0;
    while (x-- > 0)
        do
            CCPROF_REGION("d") n++;
        while (n % 2);
    CCPROF_REGION("empty")(void) 0;
    CCPROF_REGION("none")
    {
    }
    return n;
}

static __inline__ __attribute__((always_inline)) int inlined(int x)
{
    CCPROF_REGION("x") return x * one;
    return -1;
}

static NOINLINE int declared(int x)
{
    const struct {
        int y;
    } s = {({
        int v = 0;
        CCPROF_REGION("v") v = x;
        v;
    })};
    {
        CCPROF_STOPWATCH("rest");
        if (x == 1)
            return s.y + 1;
    }
    return s.y;
}

int main(void)
{
    printf("%d %d %d\n", returns(one), returns(one - 1), loops());
    printf("%d %d ", jumps(one), jumps(one - 1));
    printf("%d\n", sum);
    printf("%d %d %d\n", switches(one), switches(one + 1), switches(one + 2));
    printf("%d %d %d\n", statement(one), statement(one - 1), statement(5 * one));
    printf("%d %d %d\n", nested(one), expressions(2 * one), declared(one));
    printf("%d\n", inlined(5) + inlined(6));
    /* Its jump out of a nested function ends nothing. */
    ccprof_stop();
    printf("%d\n", nested(3 * one));
    return 0;
}
