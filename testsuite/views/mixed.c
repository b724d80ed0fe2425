/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inlined copies, two of them in one line, and a function of which GCC makes a clone.  */

#include "mix.h"

volatile unsigned sink;

__attribute__((noinline)) static unsigned power(unsigned base, unsigned times)
{
    unsigned result = 1;
    while (times--)
        result *= mix(base);
    return result;
}

__attribute__((noinline)) unsigned area(unsigned r)
{
    return mix(r) / 7 + mix(r + 1) + power(r, 9);
}

int main(int count, char **words)
{
    (void)words;
    sink = area(count) + power(sink, 9);
    return 0;
}
