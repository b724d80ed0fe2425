// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that come to no allocation, and calls of which only this can be known with care:
// through a function that is called back, by recursion, and of one that another may
// replace.

#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

static void *volatile kept;

static APART void get(size_t bytes)
{
    kept = malloc(bytes);
    if (!kept)
        exit(1);
    free(kept);
}

static APART int adds(int a, int b)
{
    return a + b;
}

// Comes to nothing that allocates, though it calls, and itself, too.
static APART int quiet(int n)
{
    return n == 0 ? 0 : adds(1, quiet(n - 1));
}

// Comes to itself, and by that to an allocation.
static APART int odd(int n);

static APART int even(int n)
{
    return n == 0 ? 1 : !odd(n - 1);
}

static APART int odd(int n)
{
    get(1);
    return n == 0 ? 0 : !even(n - 1);
}

// Nobody knows what that is.
static APART int calls_back(int (*function)(int), int n)
{
    return function(n) + 1;
}

static int gets_one(int n)
{
    get(100);
    return n;
}

static int is_quiet(int n)
{
    return quiet(n);
}

// Another may stand in its place, in a shared object.
APART int replaceable(int n)
{
    return adds(n, 1);
}

static APART int calls_replaceable(int n)
{
    return replaceable(n) + 1;
}

static APART int only_quiet(int n)
{
    return quiet(n) + adds(n, quiet(1));
}

int main(void)
{
    int sum = only_quiet(3) + even(3);
    sum += calls_back(gets_one, 1) + calls_back(is_quiet, 2);
    sum += calls_replaceable(5);
    return sum == 0;
}
