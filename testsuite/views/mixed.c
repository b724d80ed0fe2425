/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inlined copies, two of them in one line, of a function of another file, all of which is a macro; and a function of
   which GCC makes a clone. */

#define STEP(x) ((x) = ((x) ^ (x) >> 15) * 0x2c1b3c6du)

#line 1 "mix.h"
static inline unsigned mix(unsigned x)
{
    STEP(x);
    return x;
}

#line 15 "mixed.c"
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
