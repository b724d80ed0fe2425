/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions of each form, for branch-view.test.  */

#include <stdio.h>
#include <stdlib.h>

/* Two decisions at one place.  */
#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

static int sign(int x)
{
    return x < 0 ? -1 : x > 0;
}

static int kind(unsigned c)
{
    switch (c) {
    case 0:
        return 1;
    case 1 ... 3:
    case 9:
        return 2;
    case 0xffffffff:
        return 3;
    default:
        return 4;
    }
}

static int never(int x)
{
    if (x)
        return 1;
    return x > 3 || x < -7;
}

int main(int argc, char **argv)
{
    int sum = 0, count = argc > 1 ? atoi(argv[1]) : 1000;
    unsigned x = 1;
    for (int i = 0; i < count; i++) {
        x = x * 1103515245 + 12345;
        if ((x >> 16) & 1 && (x >> 18) % 3 == 0)
            sum++;
        sum += sign((int)(x >> 20 & 7) - 4) + kind(x >> 28);
        sum += CLAMP((int)(x >> 17 & 63), 10, 50);
        do
            sum -= 3;
        while (sum > 100000);
        if (i == 77)
            kind(-1);
    }
    printf("%d\n", count < 0 ? never(count) : sum);
}
