/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds and multiplies counts; what is too large becomes the largest number and does not
   wrap around.  */

#ifndef MLPROF_SATURATE_H
#define MLPROF_SATURATE_H

#include <stdint.h>

static inline uint64_t saturate_add(uint64_t one, uint64_t other)
{
    uint64_t sum;
    return __builtin_add_overflow(one, other, &sum) ? UINT64_MAX : sum;
}

static inline uint64_t saturate_multiply(uint64_t one, uint64_t other)
{
    uint64_t product;
    return __builtin_mul_overflow(one, other, &product) ? UINT64_MAX : product;
}

/* The sum as a number with a sign.  */
static inline int64_t saturate_signed(__int128 sum)
{
    return sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
}

#endif
