// SPDX-License-Identifier: GPL-3.0-or-later
// One function inlined in two loops, whose counter is in a register there, and between
// them. Prints how often each function is called, from the arguments alone.

#include <stdio.h>

volatile int sink;

static inline unsigned step(unsigned x) { return x * 3 + 1; }

__attribute__((noipa)) static unsigned twice(const unsigned *a, unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += step(a[i]);
    if (sum & 1) {
        sink = 1;
        sum = step(sum);
        sink = 2;
    }
    for (unsigned i = 0; i < n; i++)
        sum ^= step(a[i]) << i % 3;
    return sum;
}

int main(void)
{
    unsigned a[100], steps = 0;
    for (unsigned i = 0; i < 100; i++)
        a[i] = i * i;
    for (unsigned n = 1; n <= 100; n++) {
        // 3 a + 1 is odd where a is even, as its index is.
        unsigned odd = (n + 1) / 2 % 2;
        steps += 2 * n + odd;
        sink = (int)twice(a, n);
    }
    printf("main 1\nstep %u\ntwice 100\n", steps);
    return 0;
}
