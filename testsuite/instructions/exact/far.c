// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions with distant targets, for which processors with short conditional jumps need
// two instructions, and a function with more than 512 counters.

#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

#define FIVE(S, K, A, B, C, D, E) S(K##A) S(K##B) S(K##C) S(K##D) S(K##E)
#define TEN(S, K)                 FIVE(S, K, 0, 1, 2, 3, 4) FIVE(S, K, 5, 6, 7, 8, 9)
#define FIFTY(S, K, A, B, C, D, E)                                                       \
    TEN(S, K##A) TEN(S, K##B) TEN(S, K##C) TEN(S, K##D) TEN(S, K##E)
#define HUNDRED(S, K) FIFTY(S, K, 0, 1, 2, 3, 4) FIFTY(S, K, 5, 6, 7, 8, 9)
#define MIX(K)                                                                           \
    sum = sum * (K) + (sum ^ values[(K) % 64]);                                          \
    values[(K)*7u % 64] = sum;
#define CASE(K)                                                                          \
    case K:                                                                              \
        sum += values[(K) % 64];                                                         \
        if (sum & (K))                                                                   \
            values[(K) % 60] += K;                                                       \
        break;

static unsigned values[64];

NOINLINE static unsigned distant(unsigned n)
{
    unsigned sum = n;

    for (unsigned i = 0; i < 9; i++) {
        if (n % 3 == i % 3) {
            HUNDRED(MIX, 1) HUNDRED(MIX, 2) HUNDRED(MIX, 3)
        } else
            sum += i;
        if (sum & 8) {
            HUNDRED(MIX, 4) HUNDRED(MIX, 5) HUNDRED(MIX, 6)
        }
        if (sum % 5 == 1)
            continue;
        sum ^= n;
    }
    return sum;
}

NOINLINE static unsigned many(unsigned n)
{
    unsigned sum = 0;

    switch (n) {
        HUNDRED(CASE, 1)
        HUNDRED(CASE, 2)
        HUNDRED(CASE, 3)
        HUNDRED(CASE, 4)
        HUNDRED(CASE, 5)
        HUNDRED(CASE, 6)
    }
    return sum;
}

int main(void)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < 40; i++)
        sum += (i < 6 ? distant(i) : 0) + many(100 + i * 15);
    printf("%u\n", sum);
    return 0;
}
