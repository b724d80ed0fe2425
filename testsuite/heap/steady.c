/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has 12,000 blocks of 1,000 bytes all the time, which others replace 100 times. */

#include <stdlib.h>

static void *block[12000];

__attribute__((noinline, noclone)) static void *make(void)
{
    return malloc(1000);
}

int main(void)
{
    unsigned random = 1;

    for (int i = 0; i < 12000; i++)
        block[i] = make();
    for (int i = 0; i < 1200000; i++) {
        random = random * 1664525 + 1013904223;
        unsigned chosen = (random >> 8) % 12000;
        free(block[chosen]);
        block[chosen] = make();
    }
    return 0;
}
