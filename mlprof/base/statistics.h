/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of sampled numbers, for all modules that show or compare them: 95 %
   confidence intervals (called intervals below), the probability that a difference is
   due to chance, Student's t distribution for the means of a few runs, and integer
   arithmetic that does not overflow. All functions are pure. Shares are between 0 and
   1. */

#ifndef MLPROF_STATISTICS_H
#define MLPROF_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The significance level: a difference is significant if, by chance, a difference of
   this size occurs in less than this share of all runs. */
#define STATISTICS_LEVEL 0.05

struct statistics_interval {
    double least, most;
};

/* Returns the interval of the share COUNT / TOTAL of samples: Wilson's score interval
   (Journal of the American Statistical Association 22, 1927, p. 209). It contains the
   true share in 95 of 100 runs on average, even if counts are small (Brown, Cai,
   DasGupta, Statistical Science 16, 2001). COUNT is at most TOTAL. If TOTAL is 0, the
   interval is 0 to 1. */
struct statistics_interval statistics_share(uint64_t count, uint64_t total);

/* Like statistics_share, if up to LESS of the COUNT samples may belong to another row,
   and up to MORE other samples may belong to this row. Returns the interval of the
   worst case. */
struct statistics_interval statistics_share_uncertain(uint64_t count, uint64_t less,
                                                      uint64_t more, uint64_t total);

/* Signals that count for several samples, because they were late. HEAVIEST is the
   largest number W of samples of a signal, or 0; EXCESS is the sum of W * (W - 1). */
struct statistics_weights {
    uint64_t heaviest, excess;
};

/* Adds the signals of MORE to SUM. Returns false if the sum overflows. */
bool statistics_add_weights(struct statistics_weights *sum,
                            const struct statistics_weights *more);

/* Returns an upper bound of the design effect of COUNT samples, some of which may be
   from these signals: the variance of their number, divided by the variance if each
   signal counted for one sample (Kish, Survey Sampling, 1965, section 8.2). At least
   1. */
double statistics_design_effect(const struct statistics_weights *weights, uint64_t count);

/* Returns the number of independent samples that are worth as much as COUNT samples
   with the design effect EFFECT. */
uint64_t statistics_effective(uint64_t count, double effect);

/* The sampling error of a sum that is estimated from sampled items, such as blocks of
   memory. An item with the value VALUE that is sampled with the probability
   PROBABILITY represents VALUE / PROBABILITY: itself and unseen items. UNSEEN is the
   sum of the unseen values, SQUARES the sum of their squares, and VARIANCE the
   estimated variance of the sum. */
struct statistics_error {
    double unseen, squares, variance;
};

/* Adds to ERROR the error of COUNT items of VALUE, each sampled with PROBABILITY. */
void statistics_error_add(struct statistics_error *error, double value,
                          double probability, double count);

/* Adds the error of other items to SUM. */
static inline void statistics_error_join(struct statistics_error *sum,
                                         const struct statistics_error *error)
{
    sum->unseen += error->unseen;
    sum->squares += error->squares;
    sum->variance += error->variance;
}

/* Returns the interval of the sum estimated as ESTIMATE with ERROR. This is the score
   interval of a Poisson variable that counts in steps of SQUARES / UNSEEN. Its lower
   end is at least the sum of the sampled values. The upper end uses STEP if it is
   larger. The reason: even if every sampled item was certain to be sampled, there may
   be unseen items of the size STEP. */
struct statistics_interval
statistics_estimate(double estimate, const struct statistics_error *error, double step);

/* Returns a bound of the error of the highest estimate of a sum, in standard
   deviations above the true sum: the error is at most this bound in 39 of 40 runs. The
   true sum is assumed to be constant while the items are replaced by other items, one
   after the other. TIMES is how often all items were replaced. The bound follows from
   the extremes of a normal process with the same local behaviour (Pickands,
   Transactions of the American Mathematical Society 145, 1969, p. 51): while all items
   are replaced once, the process exceeds a large x with a probability of x times the
   density at x. If TIMES is at most 1, there is a single estimate. */
double statistics_deviations(double times);

/* Returns the interval of the maximum of a sum, where ESTIMATE is the highest
   estimate. The upper end is the same as in statistics_estimate, because the true sum
   may have been at its maximum only once. The lower end is smaller, because the
   highest of many estimates tends to be too large (statistics_deviations, TIMES). */
struct statistics_interval statistics_greatest(double estimate,
                                               const struct statistics_error *error,
                                               double step, double times);

/* Returns the likely true value of a sum at the time of ESTIMATE, its highest
   estimate. If the sum had this value all the time, the highest estimate would be
   above ESTIMATE in half of all runs. */
double statistics_likely(double estimate, const struct statistics_error *error,
                         double times);

/* An estimated value and its interval, which contains the value. */
struct statistics_estimated {
    double value;
    struct statistics_interval interval;
};

/* Returns the interval of AFTER minus BEFORE, which must be independent. It is
   computed from the distances between each value and the ends of its interval (Zou,
   Donner, Statistics in Medicine 27, 2008, p. 1693). An end of the result is infinite
   if it depends on an infinite end. */
struct statistics_interval statistics_subtract(const struct statistics_estimated *after,
                                               const struct statistics_estimated *before);

/* Returns the probability that chance alone causes DIFFERENCE or a larger one. Each
   half of its interval is taken as half of a normal distribution. */
double statistics_same(const struct statistics_estimated *difference);

/* Returns the interval of COUNT / TOTAL minus BEFORE / BEFORE_TOTAL, the shares of two
   profiles: Newcombe's hybrid score interval (Statistics in Medicine 17, 1998, p. 873,
   method 10). */
struct statistics_interval statistics_difference(uint64_t count, uint64_t total,
                                                 uint64_t before, uint64_t before_total);

/* Returns the probability that chance alone causes this difference of two shares or a
   larger one, if the true shares are equal. Two-sided, and exact for small counts
   (Fisher's test with mid-P, Lancaster, Journal of the American Statistical
   Association 56, 1961, p. 223). Returns 1 if there is nothing to compare. */
double statistics_same_share(uint64_t count, uint64_t total, uint64_t before,
                             uint64_t before_total);

/* Returns the probability that chance alone causes this difference of two counts or a
   larger difference. SHARE (0 < SHARE < 1) is the expected share of ONE in the sum of
   both counts. It is 0.5 for two rows of a profile, or for two runs of equal length.
   Exact for small counts (binomial test with mid-P). */
double statistics_same_count(uint64_t one, uint64_t other, double share);

/* Returns the probability that at least LEAST of TOTAL samples are in a row whose true
   share is SHARE (0 < SHARE < 1): the upper tail of the binomial distribution, exact. */
double statistics_tail(uint64_t least, uint64_t total, double share);

/* Returns whether the load of WORKERS is significantly uneven. All workers together
   have TOTAL samples. The busiest worker has MOST samples, more than the mean. ROWS
   such rows are tested together. The load is significantly uneven if even loads would
   give a worker of any row as many samples in less than STATISTICS_LEVEL of all runs
   (Bonferroni's inequality). */
bool statistics_is_uneven(uint64_t most, uint64_t total, size_t workers, size_t rows);

/* Returns the maximum error of any share of TOTAL samples in 95 of 100 runs: half the
   width of the interval of a share of 0.5. Returns 1 if TOTAL is 0. */
double statistics_bound(uint64_t total);

/* Tests whether the means of a few runs differ, and which of many findings are
   significant. */

/* Returns the probability that Student's t is at least as far from 0 as T, on either
   side. FREEDOM, the degrees of freedom, is greater than 0; INFINITY means the normal
   distribution. */
double student_beyond(double t, double freedom);

/* Returns the bound that the absolute value of Student's t exceeds in 5 of 100 cases:
   1.96 if FREEDOM is INFINITY, 12.7 if it is 1. */
double student_bound(double freedom);

/* A mean and its variance. */
struct student_mean {
    double mean;
    /* The variance of the mean: the variance of a value divided by the number of
       values. */
    double variance;
    double freedom; /* degrees of freedom of VARIANCE; INFINITY: exactly known */
};

/* Returns the degrees of freedom of the difference of two means (Welch, Biometrika 34,
   1947, p. 28). */
double student_freedom(const struct student_mean *one, const struct student_mean *other);

/* Returns the mean of COUNT values, at least 1, and its variance. For a single value,
   variance and degrees of freedom are 0. */
struct student_mean student_mean(const double *values, size_t count);

/* A common factor of the variances of several functions. */
struct student_common {
    double ratio;   /* each variance is about RATIO times its expected value */
    double freedom; /* degrees of freedom of RATIO when it is applied to one function */
};

/* Returns the common factor of COUNT variances. RATIOS, all greater than 0, has each
   variance divided by its expected value, with FREEDOM degrees of freedom. The factor
   is the median ratio, so that a few outliers have no influence (the median of
   chi-squared: Wilson, Hilferty, Proceedings of the National Academy of Sciences 17,
   1931, p. 684). Its degrees of freedom are half of the sum for all ratios, which is
   about the information of a median, or fewer if the ratios differ by more than chance
   (Smyth, Statistical Applications in Genetics and Molecular Biology 3, 2004, article
   3, section 6.2). Sorts RATIOS. With fewer than three ratios, returns 1 with
   INFINITY. */
struct student_common student_common(double *ratios, size_t count, double freedom);

/* Adjusts COUNT probabilities for multiple tests (Holm, Scandinavian Journal of
   Statistics 6, 1979, p. 65). Replaces each probability p by the probability that at
   least one of the findings with a probability of at most p is false. The findings may
   depend on each other. */
void student_family(double *probabilities, size_t count);

/* Add and multiply counts. On overflow the result is the largest number. */

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

/* Returns SUM, limited to the range of int64_t. */
static inline int64_t saturate_signed(__int128 sum)
{
    return sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
}

#endif
