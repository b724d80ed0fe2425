/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pseudo-random numbers, the same on every machine (xorshift64*, Vigna 2016). */

#ifndef DEMO_RANDOM_H
#define DEMO_RANDOM_H

#include <stdint.h>
#include "vec.h"

/* Never 0. */
typedef struct {
    uint64_t state;
} Random;

static inline uint64_t random_bits(Random *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * UINT64_C(2685821657736338717);
}

/* From 0 up to, but not, 1. */
static inline double random_unit(Random *r)
{
    return (double)(random_bits(r) >> 11) * 0x1p-53;
}

static inline double random_between(Random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

/* A point in the ball of radius 1 around the origin, by rejection. */
static inline Vec random_in_ball(Random *r)
{
    Vec v;

    do
        v = vec(random_between(r, -1, 1), random_between(r, -1, 1),
                random_between(r, -1, 1));
    while (vec_dot(v, v) > 1);
    return v;
}

#endif
