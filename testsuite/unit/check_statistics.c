/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lm */
/* Compares intervals and tests with published tables, exact fractions and their
   definitions. */

#include <math.h>

#include "mlprof/base/statistics.h"
#include "testsuite/unit/tests.h"

#define DEVIATIONS 1.959963984540054

#define NEAR ck_assert_double_eq_tol

static void assert_interval(struct statistics_interval is, double least, double most,
                            double by)
{
    NEAR(is.least, least, by);
    NEAR(is.most, most, by);
}

/* Newcombe, Statistics in Medicine 17, 1998, p. 857, table I, method 3. */
static const struct {
    uint64_t count, total;
    double least, most;
} shares[] = {
    {81, 263, 0.2553, 0.3662}, {0, 20, 0, 0.1611}, {20, 20, 0.8389, 1}, {0, 0, 0, 1}};

TEST_ROWS(share_as_published, shares)
{
    assert_interval(statistics_share(shares[_i].count, shares[_i].total),
                    shares[_i].least, shares[_i].most, 0.00005);
}

TEST(share_that_is_uncertain)
{
    assert_interval(statistics_share_uncertain(50, 10, 20, 100),
                    statistics_share(40, 100).least, statistics_share(70, 100).most,
                    1e-300);
    assert_interval(statistics_share_uncertain(5, 10, 200, 100), 0, 1, 1e-300);
}

/* Newcombe, Statistics in Medicine 17, 1998, p. 873, table II, method 10. */
static const struct {
    uint64_t count, total, before, before_total;
    double least, most;
} differences[] = {{56, 70, 48, 80, 0.0524, 0.3339},
                   {0, 10, 0, 20, -0.1611, 0.2775},
                   {10, 10, 0, 10, 0.6075, 1.0000},
                   {0, 0, 3, 10, -1, 1}};

/* Computed by hand: 3-4-5 and 5-12-13. */
TEST(difference_of_estimates)
{
    const struct statistics_estimated before = {50, {45, 54}}, after = {80, {77, 92}};
    struct statistics_estimated difference = {30, statistics_subtract(&after, &before)};
    assert_interval(difference.interval, 30 - 5, 30 + 13, 1e-9);
    NEAR(statistics_same(&difference), erfc(6 * DEVIATIONS / M_SQRT2), 1e-15);
    const struct statistics_estimated open = {80, {77, INFINITY}};
    ck_assert(isinf(statistics_subtract(&open, &before).most));
    ck_assert(isinf(statistics_subtract(&before, &open).least));
    const struct statistics_estimated same = {0, {0, 0}}, sure = {1, {1, 1}};
    ck_assert_double_eq(statistics_same(&same), 1);
    ck_assert_double_eq(statistics_same(&sure), 0);
}

TEST_ROWS(difference_as_published, differences)
{
    assert_interval(statistics_difference(differences[_i].count, differences[_i].total,
                                          differences[_i].before,
                                          differences[_i].before_total),
                    differences[_i].least, differences[_i].most, 0.00005);
}

/* Computed with exact fractions of binomial coefficients. */
static const struct {
    uint64_t count, total, before, before_total;
    double chance;
} pairs[] = {{3, 10, 9, 10, 0.0102405335},
             {0, 20, 5, 30, 0.0672591516},
             {90, 100, 70, 100, 0.000402408216},
             {0, 10, 0, 10, 1},
             {10, 10, 7, 7, 1},
             {0, 0, 3, 7, 1}};

TEST_ROWS(same_share_is_exact, pairs)
{
    double chance = statistics_same_share(pairs[_i].count, pairs[_i].total,
                                          pairs[_i].before, pairs[_i].before_total);
    NEAR(chance, pairs[_i].chance, 1e-8 * pairs[_i].chance + 1e-15);
    /* Exchanging the sides gives the same result. */
    NEAR(statistics_same_share(pairs[_i].before, pairs[_i].before_total, pairs[_i].count,
                               pairs[_i].total),
         chance, 1e-8 * chance);
}

TEST(same_count_is_exact)
{
    NEAR(statistics_same_count(60, 40, 0.5), 0.0460440669, 1e-9);
    NEAR(statistics_same_count(0, 5, 0.5), 0.03125, 1e-10);
    NEAR(statistics_same_count(30, 70, 0.25), 0.253328286, 1e-9);
    ck_assert_double_eq(statistics_same_count(0, 0, 0.5), 1);
    /* Many samples use the normal distribution. Exact fractions give 0.0725151 and
       0.00536198. */
    NEAR(statistics_same_count(1600, 1500, 0.5), 0.0725, 0.0003);
    NEAR(statistics_same_share(1500, 20000, 1650, 20000), 0.00536, 0.0001);
}

/* Sums of exact fractions (Python's fractions and math.comb). */
TEST(tail_is_exact)
{
    static const struct {
        uint64_t least, total;
        double share, tail;
    } tails[] = {
        {40, 100, 0.25, 0.0006865922079629911},
        {10, 100, 0.25, 0.99995691908546},
        {600, 1000, 0.5, 1.3642320780330092e-10},
        {5, 5, 1.0 / 3, 0.00411522633744856},
        {6, 5, 1.0 / 3, 0},
        {0, 5, 1.0 / 3, 1},
    };
    for (size_t i = 0; i < LENGTH(tails); i++) {
        double tail = statistics_tail(tails[i].least, tails[i].total, tails[i].share);
        ck_assert(fabs(tail - tails[i].tail) <= 1e-10 * tails[i].tail + 1e-300);
    }
}

/* Four times the tails above. A single worker always has everything. */
TEST(uneven)
{
    ck_assert(statistics_is_uneven(40, 100, 4, 1));
    ck_assert(!statistics_is_uneven(33, 100, 4, 1));
    ck_assert(!statistics_is_uneven(40, 100, 4, 20));
    ck_assert(!statistics_is_uneven(100, 100, 1, 1));
}

/* 1.96 / 2 / sqrt(9600 + 3.84) is 0.01. For 100 samples it is 0.0962. */
TEST(bound_of_all_shares)
{
    NEAR(statistics_bound(9600), 0.0100, 0.00001);
    NEAR(statistics_bound(100), 0.09617, 0.00001);
    ck_assert_double_eq(statistics_bound(0), 1);
}

/* Signals of 4, 2 and 1 samples: 7 samples with a sum of squares of 21. A few samples may
   all come from the heaviest signal; for many samples this is impossible. */
TEST(design_effect)
{
    struct statistics_weights none = {0}, weights = {.heaviest = 2, .excess = 2};
    const struct statistics_weights more = {.heaviest = 4, .excess = 12},
                                    most = {.heaviest = 2, .excess = UINT64_MAX};
    ck_assert(statistics_add_weights(&weights, &more));
    ck_assert_uint_eq(weights.heaviest, 4);
    ck_assert_uint_eq(weights.excess, 14);
    NEAR(statistics_design_effect(&weights, 7), 3, 1e-12);
    NEAR(statistics_design_effect(&weights, 2), 4, 1e-12);
    NEAR(statistics_design_effect(&weights, 140), 1.1, 1e-12);
    NEAR(statistics_design_effect(&weights, 0), 1, 1e-12);
    NEAR(statistics_design_effect(&none, 7), 1, 1e-12);
    ck_assert_uint_eq(statistics_effective(7, 3), 2);
    ck_assert_uint_eq(statistics_effective(UINT64_MAX, 1), UINT64_MAX);
    ck_assert(!statistics_add_weights(&weights, &most));
}

/* The upper end of the 95 % interval of a Poisson mean if nothing was observed. */
#define NONE_SEEN (DEVIATIONS * DEVIATIONS)

/* Rare events with one weight have the interval of their number. Its ends are the means
   whose distance from the number is the same number of deviations. The lower end cannot
   be below the certain amount. */
TEST(estimate_of_one_weight)
{
    for (int count = 1; count < 100; count += 7) {
        struct statistics_error error = {0};
        statistics_error_add(&error, 1, 1e-9, count);
        NEAR(error.unseen, count * (1e9 - 1), 1);
        NEAR(error.variance / (count * 1e18), 1, 1e-8);
        struct statistics_interval is = statistics_estimate(1e9 * count, &error, 5);
        double least = is.least / 1e9, most = is.most / 1e9;
        NEAR((count - least) / sqrt(least), DEVIATIONS, 1e-6);
        NEAR((most - count) / sqrt(most), DEVIATIONS, 1e-6);
    }
    struct statistics_error error = {0};
    struct statistics_interval none = statistics_estimate(0, &error, 10);
    ck_assert_double_eq(none.least, 0);
    NEAR(none.most, 10 * NONE_SEEN, 1e-9);
    statistics_error_add(&error, 617, 1, 2);
    struct statistics_interval sure = statistics_estimate(1234, &error, 10);
    ck_assert_double_eq(sure.least, 1234);
    /* There may be as many unsampled blocks as if nothing had been sampled. */
    NEAR(sure.most, 1234 + 10 * NONE_SEEN, 1e-9);
    sure = statistics_estimate(1234, &error, 0);
    ck_assert_double_eq(sure.most, 1234);
    /* The sampled amount itself is part of the interval. */
    statistics_error_add(&error, 99, 0.99, 1);
    NEAR(error.unseen, 1, 1e-9);
    sure = statistics_estimate(1334, &error, 10);
    NEAR(sure.least, 1333, 1e-9);
}

/* Returns a random number from 0 to below 1. */
static double draw(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

/* Returns how often the interval contains the true value, for COUNT blocks that are
   sampled with probability P and as many blocks of ten times the size. */
static double estimate_coverage(double p, int count)
{
    const int runs = 4000;
    int held = 0;
    for (int run = 0; run < runs; run++) {
        double sum = 0, truth = 11.0 * count;
        struct statistics_error error = {0};
        for (int i = 0; i < 2 * count; i++) {
            double size = i < count ? 1 : 10, chance = i < count ? p : 1 - pow(1 - p, 10);
            if (draw() >= chance)
                continue;
            sum += size / chance;
            statistics_error_add(&error, size, chance, 1);
        }
        struct statistics_interval it = statistics_estimate(sum, &error, 1 / p);
        held += it.least <= truth && truth <= it.most;
    }
    return (double)held / runs;
}

TEST(estimate_holds_the_truth)
{
    static const double p[] = {0.01, 0.05, 0.2, 0.5, 0.9};
    for (size_t i = 0; i < LENGTH(p); i++)
        for (int count = 80; count <= 320; count *= 4) {
            ck_assert_double_ge(estimate_coverage(p[i], count), 0.93);
            ck_assert_double_le(estimate_coverage(p[i], count), 1);
        }
}

/* The results of 1,000 runs for the largest estimate of the number of blocks in use. */
struct greatest_runs {
    double held, held_as_one; /* how often the truth is inside; with TIMES = 1 */
    double raw, likely;       /* mean estimate by truth; with correction */
};

/* In each run ALIVE blocks are in use. The oldest block is always replaced, until each
   was replaced TIMES - 1 times. Each block is sampled with probability P. */
static struct greatest_runs greatest_runs(double p, int alive, int times)
{
    static bool sampled[10000];
    const int runs = 1000;
    struct greatest_runs sums = {0};
    for (int run = 0; run < runs; run++) {
        int count = 0, most = 0;
        for (int i = 0; i < alive * times; i++) {
            count -= i >= alive && sampled[i % alive];
            sampled[i % alive] = draw() < p;
            count += sampled[i % alive];
            if (most < count)
                most = count;
        }
        struct statistics_error error = {0};
        statistics_error_add(&error, 1, p, most);
        struct statistics_interval it =
            statistics_greatest(most / p, &error, 1 / p, times);
        sums.held += (it.least <= alive && alive <= it.most) / (double)runs;
        it = statistics_estimate(most / p, &error, 1 / p);
        sums.held_as_one += (it.least <= alive && alive <= it.most) / (double)runs;
        sums.raw += most / p / alive / runs;
        sums.likely += statistics_likely(most / p, &error, times) / alive / runs;
    }
    return sums;
}

TEST(greatest_holds_the_truth)
{
    static const int alive[] = {500, 2000, 10000}, times[] = {3, 10, 50};
    for (size_t i = 0; i < (tests_in_full() ? 3 : 2); i++)
        for (size_t j = 0; j < LENGTH(times); j++) {
            const struct greatest_runs runs = greatest_runs(0.1, alive[i], times[j]);
            ck_assert_double_ge(runs.held, 0.94);
            ck_assert_double_le(runs.held, 0.985);
            if (times[j] >= 10)
                ck_assert_double_lt(runs.held_as_one, 0.8);
        }
}

TEST(likely_is_the_truth)
{
    static const int alive[] = {230, 1000}, times[] = {5, 30, 100};
    for (size_t i = 0; i < LENGTH(alive); i++)
        for (size_t j = 0; j < (tests_in_full() ? 3 : 2); j++) {
            const struct greatest_runs runs = greatest_runs(0.1, alive[i], times[j]);
            ck_assert_double_ge(runs.likely, 0.96);
            ck_assert_double_le(runs.likely, 1.05);
            ck_assert_double_ge(runs.raw, 1.1);
        }
    struct statistics_error error = {0}, none = {0};
    statistics_error_add(&error, 1, 0.1, 100);
    NEAR(statistics_likely(1000, &error, 1), 1000, 1e-6);
    NEAR(statistics_likely(1000, &none, 50), 1000, 1e-6);
    NEAR(statistics_likely(0, &none, 50), 0, 1e-9);
}

TEST(greatest_of_one_is_an_estimate)
{
    struct statistics_error error = {0};
    statistics_error_add(&error, 100, 0.3, 70);
    struct statistics_interval one = statistics_estimate(23333, &error, 9);
    struct statistics_interval it = statistics_greatest(23333, &error, 9, 1);
    assert_interval(it, one.least, one.most, 1e-9);
    /* With many replacements only the lower end differs. */
    it = statistics_greatest(23333, &error, 9, 30);
    ck_assert_double_lt(it.least, one.least - 1);
    NEAR(it.most, one.most, 1e-9);
    /* The sampled amount was in use, whatever the number of replacements. */
    struct statistics_error seen = {0}, none = {0};
    statistics_error_add(&seen, 99, 0.99, 1);
    it = statistics_greatest(100, &seen, 10, 1e9);
    NEAR(it.least, 99, 1e-9);
    it = statistics_greatest(0, &none, 10, 1e9);
    NEAR(it.least, 0, 1e-9);
    NEAR(it.most, 10 * NONE_SEEN, 1e-9);
}

TEST(deviations_of_the_greatest)
{
    NEAR(statistics_deviations(0), DEVIATIONS, 1e-9);
    NEAR(statistics_deviations(1), DEVIATIONS, 1e-9);
    double before = DEVIATIONS;
    for (double times = 2; times < 1e12; times *= 3) {
        double x = statistics_deviations(times);
        ck_assert_double_gt(x, before);
        /* The expected number of replacements between two values that are so large. */
        double rate = x * exp(-x * x / 2) / sqrt(2 * acos(-1));
        double missed = erfc(x / sqrt(2)) / 2;
        NEAR(log1p(-missed) - (times - 1) * rate, log(0.975), 1e-6);
        before = x;
    }
}
