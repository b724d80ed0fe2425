// SPDX-License-Identifier: GPL-3.0-or-later
// Each step needs the result of the one before, so that what they cost adds up: what is
// saved when a function is left out (-DWITHOUT=N) is what it costs, and what is left when
// all are (-DWITHOUT=ALL) is what main costs.

#include <stdio.h>
#include <time.h>

#ifndef WITHOUT
#define WITHOUT 0
#endif
#define ALL         5
#define LEFT_OUT(n) (WITHOUT == (n) || WITHOUT == ALL)
#ifndef ROUNDS
#define ROUNDS 20000000
#endif

// Keeps what main adds apart from what it adds next when nothing is between.
#define KEEP(x) __asm__("" : "+r"(x))

static unsigned table[4096];

// A load.
static inline unsigned entry(unsigned x)
{
    return table[x & 4095];
}

// A division.
static inline unsigned quotient(unsigned x)
{
    return 0xfffffff0u / (x | 1);
}

// Multiplications.
static inline unsigned hash(unsigned x)
{
    for (int i = 0; i < 2; i++)
        x = (x ^ x >> 15) * 0x2c1b3c6d;
    return x;
}

// A call.
__attribute__((noinline)) static unsigned called(unsigned x)
{
    return (x ^ x >> 13) * 0x297a2d39;
}

int main(void)
{
    unsigned x = 1;

    for (unsigned i = 0; i < 4096; i++)
        table[i] = i * 0x9e3779b9u;
    for (unsigned i = 0; i < ROUNDS; i++) {
        x = (LEFT_OUT(1) ? x : entry(x)) + i;
        KEEP(x);
        x = (LEFT_OUT(2) ? x : quotient(x)) + i;
        KEEP(x);
        x = (LEFT_OUT(3) ? x : hash(x)) + i;
        KEEP(x);
        x = (LEFT_OUT(4) ? x : called(x)) + i;
        KEEP(x);
    }
    printf("%u %ld\n", x, (long)clock());
    return 0;
}
