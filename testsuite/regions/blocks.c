/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each way out of a CCPROF_REGION in C; the program does the same as without it.  */

#include "stand-in.h"

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
        /* Falls through.  */
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
    stand_in_start();
    RUN(returns(one), 2, "(a a)");
    RUN(returns(one - 1), 7, "(a a)");
    RUN(loops(), 4, "(l l) (l l) (l l) (l l)");
    sum = 0;
    SAME(jumps(one), 2);
    RUN(sum, 1000, "(o (i i) o) (o (i i) o)");
    SAME(jumps(one - 1), 0);
    RUN(sum, 2110, "(o (i i) o)");
    RUN(switches(one), 1, "(s s)");
    RUN(switches(one + 1), 6, "(t t)");
    RUN(switches(one + 2), 4, "");
    RUN(statement(one), 3, "(e e) (f f)");
    RUN(statement(one - 1), -1, "(e e)");
    RUN(statement(5 * one), 99, "(e e)");
    RUN(nested(one), 3, "(w (n n) (m m) w)");
    RUN(expressions(2 * one), 4, "(d d) (d d) (d d) (d d) (empty empty) (none none)");
    RUN(inlined(5) + inlined(6), 11, "(x x) (x x)");
    RUN(declared(one), 2, "(v v) (rest rest)");
    stand_in.depth = 0;
    SAME(nested(3 * one), -34);
    stand_in.depth = 0;
    stand_in_log[0] = 0;
    return stand_in_failed;
}
