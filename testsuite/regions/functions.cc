/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions with stopwatches that exceptions go through, in C++.  */

#include "stand-in.h"

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
    stand_in_note("", "- ", "");
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

/* One landing pad for what is thrown inside of `copy' and beside it.  */
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

/* The copy in it has nobody around it who would stop an exception.  */
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
    stand_in_start();
    RUN(catches(0), 2,
        "(catches (outer - (copy - copy) - (guarded - guarded) outer) catches)");
    RUN(catches(1), -1, "(catches (outer - (copy - copy) outer) catches)");
    RUN(catches(7), -1,
        "(catches (outer - (copy - copy) - (guarded - guarded) outer) catches)");
    RUN(catches(8), -1, "(catches (outer - (copy - copy) - outer) catches)");
    RUN(catches(9), -1, "(catches (outer - outer) catches)");
    RUN(user(0), 4, "(user (catching - catching) (copy - copy) user)");
    RUN(user(1), 0, "(user (catching - - catching) (copy - copy) user)");
    RUN(user(2), 51, "(user (catching - - catching) user)");
    RUN(unwatched(0), 1, "(copy - copy) -");
    RUN(unwatched(3), 11, "(copy - copy)");
    base *b = new base;
    RUN(b->get(0), 2, "(base::get (copy - copy) base::get)");
    delete b;
    HAPPENED("-");
    return stand_in_failed;
}
