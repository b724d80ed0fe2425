/* SPDX-License-Identifier: MIT */
/* Implements the arithmetic of samples.  Owns nothing.  Called by heap.c in any thread
   that allocates, for a block that is sampled.  */

#include "rt/heap/heap-draw.h"

__extension__ typedef unsigned __int128 draw_wide;

/* Numbers with so many bits behind the point.  */
#define DRAW_BITS 32

/* The natural logarithm of 2.  */
#define DRAW_LN2 UINT64_C(0xb17217f8)

/* Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014).  */
static uint64_t draw_random(uint64_t *state)
{
    uint64_t value = *state += UINT64_C(0x9e3779b97f4a7c15);

    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

/* Returns the logarithm to the base of 2, with DRAW_BITS, of 2^64 by NUMBER, which is not
   0.  Each squaring of the mantissa gives a bit (Knuth, TAOCP 1, 1.2.2, exercise 25).  */
static uint64_t draw_logarithm(uint64_t number)
{
    unsigned zeros = (unsigned)__builtin_clzll(number);
    uint64_t mantissa = number << zeros, fraction = 0;

    for (int i = 0; i < DRAW_BITS; i++) {
        draw_wide square = (draw_wide)mantissa * mantissa;
        unsigned bit = (unsigned)(square >> 127);
        mantissa = (uint64_t)(square >> (63 + bit));
        fraction = fraction << 1 | bit;
    }
    return ((uint64_t)(zeros + 1) << DRAW_BITS) - fraction;
}

uint64_t ccprof_heap_draw(uint64_t *state, uint64_t mean)
{
    uint64_t random = draw_random(state);
    draw_wide product = (draw_wide)mean * draw_logarithm(random ? random : 1);

    return (uint64_t)(product * DRAW_LN2 >> 2 * DRAW_BITS);
}

/* Below this share of MEAN, 1 - exp(-x) is x - x^2 / 2 as exactly as is of use.  */
#define DRAW_SMALL 20

/* Beyond so many times MEAN each block is sampled.  */
#define DRAW_LARGE 64

/* Returns 1 - exp(-x), with 62 bits behind the point, where x is PART / MEAN: of x / 256
   by the series, and then doubled, since 1 - q^2 is 2 (1 - q) - (1 - q)^2.  */
static uint64_t draw_probability(uint64_t part, uint64_t mean)
{
    uint64_t x = (uint64_t)(((draw_wide)part << 54) / mean);
    uint64_t square = (uint64_t)((draw_wide)x * x >> 62);
    uint64_t cube = (uint64_t)((draw_wide)square * x >> 62);
    uint64_t p =
        x - square / 2 + cube / 6 - (uint64_t)((draw_wide)square * square >> 62) / 24;

    for (int i = 0; i < 8; i++)
        p = 2 * p - (uint64_t)((draw_wide)p * p >> 62);
    return p;
}

uint64_t ccprof_heap_draw_weight(uint64_t size, uint64_t mean)
{
    if (size / DRAW_LARGE >= mean)
        return size;
    if (size < mean >> DRAW_SMALL)
        return (uint64_t)((draw_wide)mean * size / (size + 1)) + size / 2;
    uint64_t p = draw_probability(size + 1, mean);
    return (uint64_t)((((draw_wide)size << 62) + p / 2) / p);
}
