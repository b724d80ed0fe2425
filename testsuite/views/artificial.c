/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nobody wrote a function mix: to people it is a part of those that use it. */

#include <stdio.h>

#define ARTIFICIAL extern inline __attribute__((gnu_inline, always_inline, artificial))

ARTIFICIAL unsigned twist(unsigned x)
{
    return (x ^ x >> 7) * 0x9e3779b1u;
}

ARTIFICIAL unsigned mix(unsigned x)
{
    return twist(x) / ((x & 255) + 3) + x;
}

__attribute__((noipa)) unsigned user(unsigned x)
{
    for (int i = 0; i < 1000; i++)
        x = mix(x);
    return x;
}

int main(int argc, char **argv)
{
    unsigned sum = (unsigned)argc;

    (void)argv;
    for (int i = 0; i < 20000; i++)
        sum += user(sum);
    printf("%u\n", sum);
    return 0;
}
