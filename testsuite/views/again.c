/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GCC splits greater, finds it too large to be inlined in sort all the same, and inlines
   the part in it again. After a function of bzip2's. */

#include <stdio.h>

unsigned char text[70000];

#define STEP                                                                             \
    a = text[i];                                                                         \
    b = text[j];                                                                         \
    if (a != b)                                                                          \
        return a > b;                                                                    \
    i++;                                                                                 \
    j++;

static inline int greater(unsigned i, unsigned j)
{
    unsigned char a, b;

    STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
    for (int k = 0; k < 5000; k++) {
        a = text[i];
        b = text[j];
        if (a != b)
            return a > b;
        i = i < 60000 ? i + 1 : 0;
        j = j < 60000 ? j + 1 : 0;
    }
    return 0;
}

__attribute__((noipa)) int sort(unsigned n)
{
    unsigned low = 0, high = n, sum = 0;

    while (greater(low, high) || low < 300) {
        low++;
        sum += low;
    }
    while (greater(low + 1, high) || low < 900) {
        low++;
        sum += 2 * low;
    }
    return sum;
}

int main(void)
{
    unsigned sum = 0;

    for (unsigned round = 0; round < 40; round++)
        sum += sort(20000 + round);
    printf("%u\n", sum);
    return 0;
}
