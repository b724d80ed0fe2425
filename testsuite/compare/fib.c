/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program of Waddell and Ashley's figure 2: Fibonacci numbers, by two calls each and
   step by step. */

#include <stdio.h>
#include <stdlib.h>

static unsigned long fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static unsigned long step(unsigned long *before, unsigned long now)
{
    unsigned long next = *before + now;
    *before = now;
    return next;
}

static unsigned long iterate(unsigned n)
{
    unsigned long before = 1, now = 0;
    while (n--)
        now = step(&before, now);
    return now;
}

int main(int argc, char **argv)
{
    unsigned n = (unsigned)strtoul(argv[argc - 1], NULL, 10);
    printf("%lu\n", fib(n));
    return fib(n) != iterate(n);
}
