/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers that are the same in each run. */

#ifndef TESTSUITE_RANDOM_H
#define TESTSUITE_RANDOM_H

#include <stdint.h>

/* Not 0. To repeat a test, set the seed. */
static uint64_t random_state = 0x9e3779b97f4a7c15;

/* Returns a number from 0 to LIMIT - 1. Marsaglia, "Xorshift RNGs", 2003. */
static inline uint64_t random_below(uint64_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % limit;
}

#endif
