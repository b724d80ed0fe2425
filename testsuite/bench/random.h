// SPDX-License-Identifier: GPL-3.0-or-later
// Pseudo-random numbers for the programs in C++, the same on every machine (xorshift32,
// Marsaglia 2003).

#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

class Random
{
    uint32_t state;

  public:
    // SEED: not 0.
    explicit Random(uint32_t seed) : state(seed)
    {
    }

    // From 0 up to, but not, N.
    unsigned below(unsigned n)
    {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return unsigned((uint64_t(state) * n) >> 32);
    }
};

#endif
