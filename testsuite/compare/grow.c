/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of which it is known how often they are called for an input of size n. */

#include <stdlib.h>

static volatile unsigned sink;

static void constant(void)
{
    sink++;
}

static void linear(void)
{
    sink++;
}

static void quadratic(void)
{
    sink++;
}

/* n log2 n times of a power of two. */
static void merge(void)
{
    sink++;
}

static void sort(unsigned n)
{
    if (n < 2)
        return;
    sort(n / 2);
    sort(n / 2);
    for (unsigned i = 0; i < n; i++)
        merge();
}

/* 2^(n+1) - 1 times. */
static void exponential(unsigned n)
{
    if (n > 0) {
        exponential(n - 1);
        exponential(n - 1);
    }
}

#ifndef FEWER
static void odd(void)
{
    sink++;
}
#endif

int main(int argc, char **argv)
{
    unsigned n = (unsigned)strtoul(argv[argc - 1], NULL, 10);
    constant();
    for (unsigned i = 0; i < n; i++) {
        linear();
        for (unsigned j = 0; j < n; j++)
            quadratic();
    }
    sort(n);
    exponential(n);
#ifndef FEWER
    if (n == 8)
        odd();
#endif
    return 0;
}
