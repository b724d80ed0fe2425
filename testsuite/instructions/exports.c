// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions whose numbers of executions are known: 70 divisions, 30 indirect calls, and an
// inlined function. Few, because the test runs it in single steps too.

#include <stdio.h>

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

int main(void)
{
    printf("%u\n", divide(70) + fill(100) + call(30));
    return 0;
}
