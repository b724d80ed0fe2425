/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions with stopwatches, in C: each call is entered and left once, however it is
   left and wherever it was inlined. */

#include <setjmp.h>
#include <stdio.h>

#include "ccprof.h"

#define NOINLINE __attribute__((noinline, noclone))
#define INLINE   static __inline__ __attribute__((always_inline))
#define APART    __attribute__((noipa))

static volatile int one = 1;
static volatile int sink;
static jmp_buf back;

/* Has watches of its own kind: its callers know that it changes few registers. */
static NOINLINE int quiet(int x, double d)
{
    if (x > 5)
        return x;
    return x * 3 + (int)d;
}

/* So many values that some are kept in registers that `quiet' leaves alone. */
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

/* Goes on after a longjmp that its own call has made. */
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

/* Below: a copy of a function with a stopwatch is left by a jump to the function that it
   is inlined into, while another call of it is open further out; and, alone, with no call
   around it. */
#define TURNS 10

static APART void after(void)
{
    __asm__ volatile("");
}

/* Where it returns, what comes next is still inside of it. */
INLINE void inner(void (*does)(void))
{
    does();
    after();
}

static APART void apart(void (*does)(void))
{
    does();
    after();
}

/* The function that goes back is not inlined, and so are those that it is called by. */
#define WAY(name, buffer, arrives, goes_back)                                            \
    static buffer name##_buffer;                                                         \
    static APART void name##_leaves(void)                                                \
    {                                                                                    \
        if (one)                                                                         \
            goes_back;                                                                   \
    }                                                                                    \
    static APART void name##_far(void)                                                   \
    {                                                                                    \
        apart(name##_leaves);                                                            \
    }                                                                                    \
    static APART void name##_near_host(void)                                             \
    {                                                                                    \
        if (arrives == 0)                                                                \
            inner(name##_leaves);                                                        \
        after();                                                                         \
    }                                                                                    \
    static APART void name##_far_host(void)                                              \
    {                                                                                    \
        for (volatile int i = 0; i < 2; i++)                                             \
            if (arrives == 0)                                                            \
                inner(name##_far);                                                       \
        after();                                                                         \
    }                                                                                    \
    static APART void name(void)                                                         \
    {                                                                                    \
        for (int i = 0; i < TURNS; i++) {                                                \
            name##_near_host();                                                          \
            inner(name##_near_host);                                                     \
            inner(name##_far_host);                                                      \
            after();                                                                     \
        }                                                                                \
    }

WAY(plain, jmp_buf, setjmp(plain_buffer), longjmp(plain_buffer, 1))
WAY(signals, sigjmp_buf, sigsetjmp(signals_buffer, 1), siglongjmp(signals_buffer, 1))
/* Nobody sees these. */
typedef void *words[5];
WAY(own, words, __builtin_setjmp(own_buffer), __builtin_longjmp(own_buffer, 1))

/* Left by what calls itself, as far as the compiler likes inlined into it, too. */
static jmp_buf deep_buffer;

static int deep(int more)
{
    volatile int kept = more;
    if (more == 0 && one)
        longjmp(deep_buffer, 1);
    return more < 0 ? 0 : deep(more - 1) + kept;
}

static APART void deep_host(void)
{
    if (setjmp(deep_buffer) == 0)
        deep(5 * one);
    after();
}

static APART void deeper(void)
{
    for (int i = 0; i < TURNS; i++) {
        deep_host();
        inner(deep_host);
    }
}

int main(void)
{
    static volatile long numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

    printf("%ld %d\n", keeps(numbers), quiet(one * 7, 0));
    printf("%d %d\n", copies(one), copies(one * 3));
    printf("%d %d\n", in_around(one * 3), recurses(one * 2));
    printf("%d %d %d\n", goes_on(one - 1), computed(one), goes_on(one));
    plain();
    signals();
    own();
    deeper();
    return 0;
}
