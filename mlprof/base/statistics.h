/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of sampled numbers, for all modules that show or compare them: confidence
   intervals of 95 %, the probability that chance alone made a difference, Student's t for
   the means of a few runs, and sums that do not overflow.  All functions are pure. Shares
   are from 0 to 1.  */

#ifndef MLPROF_STATISTICS_H
#define MLPROF_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A difference is certain if chance alone makes one as large in less than this share of
   all runs.  */
#define STATISTICS_LEVEL 0.05

struct statistics_interval {
    double least, most;
};

/* The interval of the share that COUNT of TOTAL samples have: Wilson's score interval
   (Journal of the American Statistical Association 22, 1927, p. 209), which holds the
   true share in 95 of 100 runs on average, also for small counts (Brown, Cai, DasGupta,
   Statistical Science 16, 2001).  COUNT is at most TOTAL.  Without samples: 0 to 1.  */
struct statistics_interval statistics_share(uint64_t count, uint64_t total);

/* Like statistics_share, if LESS of the COUNT samples may belong to something else, and
   MORE other samples may belong here: the interval of the worst case.  */
struct statistics_interval statistics_share_uncertain(uint64_t count, uint64_t less,
                                                      uint64_t more, uint64_t total);

/* The sampling error of a sum that is estimated from sampled things, such as blocks of
   memory.  A thing of some VALUE that is sampled with a PROBABILITY stands for VALUE /
   PROBABILITY: for itself and for unseen things.  UNSEEN is the sum of the unseen values,
   SQUARES the sum of their squares, and VARIANCE the estimated variance of the sum.  */
struct statistics_error {
    double unseen, squares, variance;
};

/* Adds to ERROR COUNT things of VALUE, each sampled with PROBABILITY.  */
void statistics_error_add(struct statistics_error *error, double value,
                          double probability, double count);

/* The interval of such a sum, estimated as ESTIMATE: the score interval of a Poisson
   variable that counts in steps of SQUARES / UNSEEN, but at least the sum of the sampled
   values.  The upper end is computed with steps of STEP if STEP is larger: so much may be
   unseen even if all sampled things were certain to be sampled.  */
struct statistics_interval
statistics_estimate(double estimate, const struct statistics_error *error, double step);

/* How many standard deviations the greatest value of a sum of such things is above the
   truth, if that is the same all the time, in 39 of 40 runs at most: the things are
   replaced by others, one after the other, so often that all of them were there TIMES
   times.  By the extremes of a normal process that is as rough as this one (Pickands,
   Transactions of the American Mathematical Society 145, 1969, p. 51): within the time in
   which all are replaced once it is greater than x with the probability x times the
   density at x, if x is large.  TIMES of 1 or less is a single value.  */
double statistics_deviations(double times);

/* The interval of the greatest value of such a sum, of which ESTIMATE is the greatest
   estimate: like statistics_estimate, but with its lower end so much lower as the
   greatest of many estimates is too large.  The upper end is that of one estimate, for
   the truth may have been greatest only once.  */
struct statistics_interval statistics_greatest(double estimate,
                                               const struct statistics_error *error,
                                               double step, double times);

/* The likely value of such a sum at the time of its greatest estimate, ESTIMATE: if the
   sum were this value all the time, the greatest estimate would be above ESTIMATE in half
   of all runs.  */
double statistics_likely(double estimate, const struct statistics_error *error,
                         double times);

/* A value that is not exactly known, and its interval of 95 %, which holds it.  */
struct statistics_estimated {
    double value;
    struct statistics_interval interval;
};

/* The interval of AFTER less BEFORE, which do not depend on each other: from how far each
   may be from its value, above and below (Zou, Donner, Statistics in Medicine 27, 2008,
   p. 1693).  Infinite where one of them is.  */
struct statistics_interval statistics_subtract(const struct statistics_estimated *after,
                                               const struct statistics_estimated *before);

/* The probability that chance alone makes DIFFERENCE or a larger one, if each half of
   its interval is that of a normal distribution.  */
double statistics_same(const struct statistics_estimated *difference);

/* The interval of COUNT / TOTAL less BEFORE / BEFORE_TOTAL, of two profiles: Newcombe's
   hybrid score interval (Statistics in Medicine 17, 1998, p. 873, method 10).  */
struct statistics_interval statistics_difference(uint64_t count, uint64_t total,
                                                 uint64_t before, uint64_t before_total);

/* The probability that chance alone makes this difference of two shares or a larger one,
   if the true shares are equal: two-sided, and exact for small counts (Fisher's test with
   mid-P, Lancaster, Journal of the American Statistical Association 56, 1961, p. 223). 1
   if there is nothing to compare.  */
double statistics_same_share(uint64_t count, uint64_t total, uint64_t before,
                             uint64_t before_total);

/* The probability that chance alone makes this difference of two counts or a larger one,
   if the expected ONE is SHARE (0 < SHARE < 1) of both: 0.5 for two rows of a profile, or
   for two runs of equal length.  Exact for small counts (binomial test with mid-P).  */
double statistics_same_count(uint64_t one, uint64_t other, double share);

/* The probability that LEAST or more of TOTAL samples hit something with this SHARE (0 <
   SHARE < 1): the upper tail of the binomial distribution, exact.  */
double statistics_tail(uint64_t least, uint64_t total, double share);

/* Whether the load is certainly uneven: WORKERS have TOTAL samples together, and the
   busiest has MOST, more than the mean.  True if in less than STATISTICS_LEVEL of all
   runs with even loads chance alone gives some worker as many, in any of ROWS such rows
   (the inequality of Bonferroni).  */
bool statistics_is_uneven(uint64_t most, uint64_t total, size_t workers, size_t rows);

/* How far a share of TOTAL samples may be from the truth, at most, in 95 of 100 runs:
   half the interval of a share of one half. 1 without samples.  */
double statistics_bound(uint64_t total);

/* Whether the means of a few runs differ, and which of many such findings hold.  */

/* The probability that Student's t is at least as far from 0 as T, on either side.
   FREEDOM, the degrees of freedom, is more than 0; INFINITY: the normal distribution.  */
double student_beyond(double t, double freedom);

/* The value that t exceeds, on either side, in 5 of 100 cases: 1.96 if FREEDOM is
   INFINITY, 12.7 if it is 1.  */
double student_bound(double freedom);

/* A mean and its variance.  */
struct student_mean {
    double mean;
    /* The variance of the mean: the variance of a value divided by the number of values.
     */
    double variance;
    double freedom; /* of VARIANCE; INFINITY: the variance is known */
};

/* Degrees of freedom of the difference of two means (Welch, Biometrika 34, 1947, p. 28).
 */
double student_freedom(const struct student_mean *one, const struct student_mean *other);

/* The mean of COUNT values, at least 1, and its variance.  With one value, variance and
   freedom are 0.  */
struct student_mean student_mean(const double *values, size_t count);

/* The interval of 95 % of the ratio of two means, that of ABOVE by that of BELOW
   (Fieller, Journal of the Royal Statistical Society B 16, 1954, p. 175).  False if a
   variance is not known, or both are 0, or if BELOW may be 0, so that the ratio has no
   bounds.  */
bool student_ratio(const struct student_mean *above, const struct student_mean *below,
                   double *least, double *most);

/* A factor that the variances of several things have in common.  */
struct student_common {
    double ratio;   /* each variance is about this times its expected value */
    double freedom; /* of RATIO, when it is used for one of the things */
};

/* The common factor of COUNT variances.  RATIOS, which are greater than 0, have each
   variance divided by its expected value, with FREEDOM degrees of freedom.  The median
   ratio is taken, so that a few outliers do not matter (the median of chi-squared:
   Wilson, Hilferty, Proceedings of the National Academy of Sciences 17, 1931, p. 684).
   It has half the degrees of freedom of all ratios, about what a median is worth, or
   fewer if the ratios differ by more than chance (Smyth, Statistical Applications in
   Genetics and Molecular Biology 3, 2004, article 3, section 6.2).  Sorts RATIOS.  With
   fewer than three ratios: 1 with INFINITY.  */
struct student_common student_common(double *ratios, size_t count, double freedom);

/* Adjusts COUNT probabilities for multiple tests: replaces each by the probability that
   any of the findings that are at least as certain is false, whatever their dependence
   (Holm, Scandinavian Journal of Statistics 6, 1979, p. 65).  */
void student_family(double *probabilities, size_t count);

/* Add and multiply counts.  A result that is too large becomes the largest number: it
   does not wrap around.  */

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
