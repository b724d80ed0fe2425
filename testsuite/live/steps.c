/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers from standard input. Calls step so often for each, and then prints
   `worked'. */

#include <stdio.h>

static volatile unsigned sum;

static __attribute__((noinline)) void step(void)
{
    for (unsigned i = 0; i < 100000; i++)
        sum += i;
}

int main(void)
{
    int steps;
    setbuf(stdout, NULL);
    puts("ready");
    while (scanf("%d", &steps) == 1) {
        while (steps-- > 0)
            step();
        puts("worked");
    }
    return 0;
}
