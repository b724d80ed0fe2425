// SPDX-License-Identifier: GPL-3.0-or-later
// Functions with options of their own, clones by target, and a function chosen when the
// program is loaded.

#include <stdio.h>

static inline unsigned mix(unsigned x)
{
    return (x * 0x41c64e6d) ^ 0x33;
}

#pragma GCC push_options
#pragma GCC optimize("O3", "unroll-loops")
static inline unsigned fast(unsigned x)
{
    return mix(x) * 0x19660d;
}

__attribute__((noinline)) unsigned by_pragma(unsigned x)
{
    return fast(x) ^ fast(x ^ 5);
}
#pragma GCC pop_options

__attribute__((noinline, optimize("O3,no-tree-ccp"))) unsigned by_attribute(unsigned x)
{
    return mix(x) * 0x3ade68b;
}

__attribute__((noinline, optimize("O0"))) unsigned not_at_all(unsigned x)
{
    return mix(x) * 0x1b873593;
}

__attribute__((target_clones("default", "avx2", "arch=haswell"))) unsigned
cloned(const unsigned *from, unsigned count)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum ^= from[i] * 0x2545f49;
    return sum;
}

static unsigned chosen_one(unsigned x)
{
    return mix(x) * 0x85ebca6;
}

static unsigned (*choose(void))(unsigned)
{
    return chosen_one;
}

unsigned chosen(unsigned x) __attribute__((ifunc("choose")));

__attribute__((noinline, target("avx2"))) unsigned by_target(unsigned x)
{
    return mix(x) * 0x2b2ae35;
}

int main(int argc, char **argv)
{
    (void)argv;
    unsigned x = (unsigned)argc, numbers[16];
    for (unsigned i = 0; i < 16; i++)
        numbers[i] = mix(x ^ i);
    x = by_pragma(x) ^ by_attribute(x) ^ not_at_all(x);
    x ^= cloned(numbers, 16) ^ chosen(x) ^ by_target(x);
    printf("%u\n", x);
    return 0;
}
