// SPDX-License-Identifier: GPL-3.0-or-later
// Control flow that is not made of if, for and calls.

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int computed(int x)
{
    static void *const targets[] = {&&a, &&b, &&c};

    goto *targets[x % 3];
a:
    x++;
b:
    x += 2;
    if (x < 20)
        goto *targets[x % 3];
c:
    return x;
}

static int assembled(int x)
{
    __asm__ goto("" : : "r"(x) : : yes);
    return 1;
yes:
    return 2;
}

static int nonlocal(int n)
{
    __label__ out;
    void inner(int k)
    {
        if (k > 3)
            goto out;
        printf("%d\n", k);
    }

    for (int i = 0; i < n; i++)
        inner(i);
    return 0;
out:
    return 1;
}

static void endless(void)
{
    for (;;) {
    }
}

static int wide(unsigned long long x)
{
    switch (x) {
    case 0xffffffffffffffff:
        return 1;
    case 1 ... 5:
        return 2;
    case 0x8000000000000000 ... 0x8000000000000010:
        return 3;
    }
    return 0;
}

static int sum(int n, ...)
{
    va_list list;
    int s = 0;

    va_start(list, n);
    while (n--)
        s += va_arg(list, int);
    va_end(list);
    return s;
}

static jmp_buf again;

static int several_times(void)
{
    volatile int n = 0;

    if (setjmp(again) < 3) {
        n++;
        longjmp(again, n);
    }
    return n;
}

__attribute__((noreturn)) static void leave(int x)
{
    exit(x);
}

static int mixed(int x)
{
    if (x > 100)
        leave(3);
    return x > 50 ? abort(), 1 : 0;
}

struct large {
    int a[100];
};

static struct large make(int x)
{
    struct large r = {{x}};

    return r;
}

static struct large last(int x)
{
    return make(x + 1);
}

static long factorial(int n)
{
    return n ? n * factorial(n - 1) : 1;
}

__attribute__((const)) static int constant(int x)
{
    return x ? x + 1 : constant(1);
}

static void clean(int *p)
{
    printf("%d\n", *p);
}

static int cleaned(void)
{
    __attribute__((cleanup(clean))) int v = 3;

    return v + 1;
}

static int jumps(int x)
{
    if (x == 1)
        return 1;
    else if (x == 2)
        goto out;
    while (x--) {
        if (x == 5)
            continue;
        if (x == 3)
            break;
    }
out:
    return x;
}

int main(int argc, char **argv)
{
    (void)argv;
    printf("%d %d %d\n", computed(argc), assembled(argc), nonlocal(6));
    if (argc > 5)
        endless();
    printf("%d %d %d\n", wide(3), wide(0x8000000000000001), sum(3, 1, 2, 3));
    printf("%d %d %d\n", several_times(), mixed(4), last(2).a[0]);
    printf("%ld %d %d %d\n", factorial(10), constant(0), cleaned(), jumps(9));
    leave(mixed(3));
}
