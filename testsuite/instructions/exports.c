// SPDX-License-Identifier: GPL-3.0-or-later
// exports [N]: instructions whose numbers of executions are known: N (70) divisions, 30 indirect
// calls, and an inlined function. Few, because the tests run it in single steps too.

#include <stdio.h>
#include <stdlib.h>

static volatile unsigned divisor = 3;
static volatile unsigned numbers[100];

static inline __attribute__((always_inline)) unsigned square(unsigned n)
{
    numbers[n] = n * n;
    return numbers[n] + 1;
}

static __attribute__((noipa)) unsigned divide(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += (i + 100) / divisor;
    return sum;
}

static __attribute__((noipa)) unsigned fill(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += square(i);
    return sum;
}

static __attribute__((noipa)) unsigned one(unsigned n)
{
    return n + 1;
}

static unsigned (*volatile pointer)(unsigned) = one;

static __attribute__((noipa)) unsigned call(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += pointer(i);
    return sum;
}

int main(int argc, char **argv)
{
    unsigned divisions = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 70;
    printf("%u\n", divide(divisions) + fill(100) + call(30));
    return 0;
}
