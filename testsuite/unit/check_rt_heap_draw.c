/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/sampling.c -lm */
/* The random choice of samples and the number of bytes that a sample represents,
   against the C library's arithmetic and the required distribution. */

#include "rt_tests.h"
#include <math.h>

#include "rt/heap/sampling.h"

#define DRAWS 200000

static uint64_t draw[DRAWS];

static void make_draws(uint64_t mean, uint64_t seed)
{
    for (size_t i = 0; i < DRAWS; i++)
        draw[i] = ccprof_heap_sampling_draw(&seed, mean);
}

static const uint64_t means[] = {1, 4096, 512 << 10, 1000000000000}; /* bytes */

static int by_value(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

/* Kolmogorov-Smirnov test. A correct generator fails once in a million times: 2 exp(-2
   x^2) with x = 2.69. */
TEST_ROWS(exponential, means)
{
    double mean = (double)means[_i], most = 0;

    make_draws(means[_i], 77);
    qsort(draw, DRAWS, sizeof *draw, by_value);
    for (size_t i = 0; i < DRAWS; i++) {
        if (i + 1 < DRAWS && draw[i] == draw[i + 1])
            continue;
        double right = -expm1(-((double)draw[i] + 1) / mean);
        most = fmax(most, fabs((double)(i + 1) / DRAWS - right));
    }
    ck_assert_double_lt(most * sqrt(DRAWS), 2.69);
}

/* Adjacent values are independent, and so are values of threads that started one after
   the other: the mean of products is the square of the mean. */
TEST(independent)
{
    double sum = 0, across = 0;
    uint64_t mean = 1 << 20;

    make_draws(mean, 5);
    for (size_t i = 0; i + 1 < DRAWS; i++)
        sum += (double)draw[i] * (double)draw[i + 1] / (double)mean / (double)mean;
    ck_assert_double_eq_tol(sum / DRAWS, 1, 5 * sqrt(3.0 / DRAWS));
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        uint64_t one = 64 * seed, other = 64 * seed + 64;
        across += (double)ccprof_heap_sampling_draw(&one, mean) *
                  (double)ccprof_heap_sampling_draw(&other, mean) / (double)mean /
                  (double)mean;
    }
    ck_assert_double_eq_tol(across / DRAWS, 1, 5 * sqrt(5.0 / DRAWS));
}

TEST_ROWS(weight, means)
{
    const uint64_t mean = means[_i];

    ck_assert_uint_eq(ccprof_heap_sampling_weight(0, mean), 0);
    for (uint64_t size = 1; size < UINT64_C(1) << 55; size += size / 3 + 1) {
        double right = (double)size / -expm1(-((double)size + 1) / (double)mean);
        double is = (double)ccprof_heap_sampling_weight(size, mean);
        ck_assert_double_eq_tol(is / right, 1, 1e-8 + 1 / right);
    }
    ck_assert_uint_eq(ccprof_heap_sampling_weight(UINT64_MAX, mean), UINT64_MAX);
}
