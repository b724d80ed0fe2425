/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions with stopwatches that exceptions go through, in C++. */

#include <cstdio>

#include "ccprof.h"

#define NOINLINE __attribute__((noinline, noclone))
#define INLINE   inline __attribute__((always_inline))

static volatile int one = 1;
static int count;

struct guard {
    ~guard()
    {
        count += one;
    }
};

NOINLINE static void thrower(int x)
{
    CCPROF_STOPWATCH("thrower");
    if (x)
        throw x;
}

static INLINE int copy(int x)
{
    thrower(x);
    return x + one;
}

static INLINE int guarded(int x)
{
    guard g;
    thrower(x);
    return x + one;
}

/* One landing pad for what is thrown inside of `copy' and beside it. */
NOINLINE static int outer(int x)
{
    guard g;
    thrower(x == 9);
    int r = copy(x == 1);
    thrower(x == 8);
    return r + guarded(x == 7);
}

NOINLINE static int catches(int x)
{
    try {
        return outer(x);
    } catch (int i) {
        return -i;
    }
}

static INLINE int catching(int x)
{
    try {
        thrower(x);
    } catch (int i) {
        thrower(x == 2);
        return -i;
    }
    return 3;
}

NOINLINE static int user(int x)
{
    int r = 0;
    try {
        r = catching(x);
        r += copy(0);
    } catch (int i) {
        r = 50 + i;
    }
    return r;
}

/* The copy in it has nobody around it who would stop an exception. */
NOINLINE static int passes(int x)
{
    int r = copy(x);
    thrower(0);
    return r;
}

NOINLINE static int unwatched(int x)
{
    try {
        return passes(x);
    } catch (int) {
        return 11;
    }
}

struct base {
    virtual ~base()
    {
        thrower(0);
    }
    virtual int get(int x);
};

int base::get(int x)
{
    auto lambda = [x](int y) { return copy(x) + y; };
    return lambda(1);
}

int main()
{
    const int thrown[] = {0, 1, 7, 8, 9};
    for (int x : thrown)
        std::printf("%d ", catches(x));
    for (int x = 0; x < 3; x++)
        std::printf("%d ", user(x));
    base *b = new base;
    std::printf("%d %d %d\n", unwatched(0), unwatched(3), b->get(0));
    delete b;
    return 0;
}
