// SPDX-License-Identifier: GPL-3.0-or-later
// Code that runs before main and after exit: resolvers of IFUNC functions, constructors
// with and without priority, functions of atexit, destructors.

#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone))

static int sum;

NOINLINE static void add(int n)
{
    for (int i = 0; i < n; i++)
        sum += i ^ n;
}

#ifdef __x86_64__
static int resolved(int i)
{
    return i * 5;
}

static int other(int i)
{
    return i * 7;
}

static int (*resolve(void))(int)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse2") ? resolved : other;
}

int indirect(int i) __attribute__((ifunc("resolve")));
#else
#define indirect(n) (n)
#endif

__attribute__((constructor(101))) static void first(void)
{
    add(3);
}

__attribute__((constructor)) static void second(void)
{
    add(4);
}

__attribute__((destructor)) static void last_but_one(void)
{
    add(5);
}

__attribute__((destructor(101))) static void last(void)
{
    add(6);
    printf("%d\n", sum);
}

static void at_exit(void)
{
    add(7);
}

int main(void)
{
    atexit(at_exit);
    for (int i = 0; i < 5; i++)
        sum += indirect(i);
    return 0;
}
