/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of all ways for instructions-calls. */
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile int sink;

NOINLINE static int leaf(int n)
{
    while (n-- > 0)
        sink++;
    return sink;
}

NOINLINE static int twice(int n)
{
    return leaf(n) + leaf(n + 1);
}

NOINLINE static int thrice(int n)
{
    return leaf(n) + leaf(n) + leaf(n) + 1;
}

typedef int (*function)(int);
static function volatile functions[] = {twice, thrice};

NOINLINE static int by_pointer(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += functions[i & 1](100) + 1;
    return sum;
}

NOINLINE static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

NOINLINE static int odd(int n);

NOINLINE static int even(int n)
{
    return n == 0 ? 1 : odd(n - 1) + sink * 0;
}

NOINLINE static int odd(int n)
{
    return n == 0 ? 0 : even(n - 1) + sink * 0 + 1;
}

NOINLINE static int target(int n)
{
    sink += n;
    return sink * 3;
}

NOINLINE static int jumps(int n)
{
    sink += n;
    return target(n + 1);
}

static int compare(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

int main(void)
{
    int numbers[] = {3, 1, 2};
    sink = by_pointer(20) + fib(6) + even(7);
    for (int i = 0; i < 10; i++)
        sink += jumps(i);
    qsort(numbers, 3, sizeof *numbers, compare);
    return 0;
}
