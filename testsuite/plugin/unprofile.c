// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that are called in every way there is: inlined, by a call, by themselves, by
// code that is not profiled, and by nobody. Each has a part of the time.

#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

static unsigned sink;

static inline unsigned spin(unsigned x, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++)
        x = (x ^ x >> 15) * 0x2c1b3c6d;
    return x;
}

static inline unsigned inlined(unsigned x)
{
    return spin(x, 3000) * 0x19660d;
}

APART static unsigned apart(unsigned x)
{
    for (unsigned i = 0; i < 4000; i++)
        x = (x ^ x >> 12) * 0x297a2d39;
    return inlined(x);
}

APART static unsigned recursive(unsigned n, unsigned x)
{
    for (unsigned i = 0; i < 600; i++)
        x = (x ^ x >> 13) * 0x3ade68b;
    if (n == 0)
        return apart(x);
    return recursive(n - 1, x) ^ (n & 1 ? recursive(n / 2, x) : x);
}

APART static int compare(const void *one, const void *other)
{
    unsigned a = *(const unsigned *)one, b = *(const unsigned *)other;

    for (unsigned i = 0; i < 20; i++)
        sink = (sink ^ a) * 0x85ebca6;
    return (a > b) - (a < b);
}

static unsigned sorted(unsigned x)
{
    unsigned numbers[300];

    for (unsigned i = 0; i < 300; i++)
        numbers[i] = x = x * 0x41c64e6d + 12345;
    qsort(numbers, 300, sizeof *numbers, compare);
    return numbers[0];
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1, x = 1;

    for (unsigned i = 0; i < rounds; i++) {
        x = inlined(x) + apart(x) + recursive(5, x) + sorted(x);
        for (unsigned j = 0; j < 6000; j++)
            x = (x ^ x >> 14) * 0x1b873593;
    }
    printf("%u\n", x);
    return 0;
}
