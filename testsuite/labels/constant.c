/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "constant.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST  20000
#define APART 4096u

static uint64_t state;
static uint32_t taken[MOST];
static unsigned n_taken;

void random_seed(uint64_t seed)
{
    state = seed;
}

/* Sebastiano Vigna's splitmix64.  */
uint64_t random_bits(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

unsigned random_below(unsigned limit)
{
    return (unsigned)((random_bits() >> 32) * limit >> 32);
}

bool random_chance(unsigned percent)
{
    return random_below(100) < percent;
}

/* The size of the number in 32 bits, whatever its sign.  */
static uint32_t magnitude(uint64_t value)
{
    uint32_t low = (uint32_t)value;

    return low >> 31 ? -low : low;
}

static bool is_free(uint64_t value)
{
    uint32_t m = magnitude(value);
    int ones = __builtin_popcount((uint32_t)value);

    if (m < 0x1000000 || ones < 11 || ones > 21)
        return false;
    for (unsigned i = 0; i < n_taken; i++)
        if (m - taken[i] + APART < 2 * APART)
            return false;
    return true;
}

uint64_t constant_new(bool wide, unsigned copies)
{
    for (;;) {
        uint64_t value = random_bits() >> 1 | 1;
        bool free = true;

        value = wide ? value | UINT64_C(1) << 61 : (value & 0x3fffffff) | 0x10000000;
        for (unsigned i = 0; i < copies; i++)
            free = free && is_free(value + i * CONSTANT_STEP);
        if (!free)
            continue;
        if (n_taken + copies > MOST) {
            fputs("generate: too many constants\n", stderr);
            exit(1);
        }
        for (unsigned i = 0; i < copies; i++)
            taken[n_taken++] = magnitude(value + i * CONSTANT_STEP);
        return value;
    }
}
