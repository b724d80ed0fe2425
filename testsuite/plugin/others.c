// SPDX-License-Identifier: GPL-3.0-or-later
// A program for every option: inlining, a loop, a call that stays, a switch, memory.

#include <stdio.h>
#include <stdlib.h>

static inline unsigned mix(unsigned x)
{
    return (x * 0x41c64e6d) ^ 0x33;
}

__attribute__((noinline)) unsigned fill(unsigned *to, unsigned count)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++) {
        to[i] = mix(sum ^ i);
        sum += to[i] >> 3;
    }
    return sum;
}

__attribute__((noinline)) int choose(int x)
{
    switch (x) {
    case 0:
        return 7;
    case 1:
        return x * 0x2545f49;
    case 2:
        return x - 3;
    case 3:
        return puts("three");
    case 4:
        return 99;
    default:
        return abs(x);
    }
}

// Loops that begin with an inlined function, and of which GCC knows no other place.
static inline unsigned next(unsigned x)
{
    return x * 3 + 1;
}

unsigned search(const unsigned *a, unsigned n)
{
    for (;;) {
        n = next(n);
        if (a[n & 7])
            return 5;
        if (n > 1000)
            return 3;
    }
}

void forever(volatile unsigned *a)
{
    for (;;)
        *a = next(*a);
}

int main(void)
{
    unsigned numbers[64];
    unsigned sum = fill(numbers, 64);
    for (int i = -1; i < 6; i++)
        sum += (unsigned)choose(i);
    printf("%u\n", sum + numbers[63]);
    return 0;
}
