/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/statistics.h"
#include "mlprof/base/buf.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* 95 % of the values of a normal distribution lie within this many standard deviations
   of the mean.  */
#define DEVIATIONS 1.959963984540054

/* Maximum count for exact tests, which sum the terms of a distribution. For larger
   counts the normal approximation is accurate enough.  */
#define EXACT_MOST 2000

/* Returns Wilson's score interval of the share SUCCESSES / TOTAL. SUCCESSES need not
   be an integer.  */
static struct statistics_interval score(double successes, double total)
{
    double square = DEVIATIONS * DEVIATIONS, share = successes / total;
    double middle = (share + square / (2 * total)) / (1 + square / total);
    double spread = DEVIATIONS / (1 + square / total) *
                    sqrt(share * (1 - share) / total + square / (4 * total * total));
    return (struct statistics_interval){successes > 0 ? fmax(middle - spread, 0) : 0,
                                        successes < total ? fmin(middle + spread, 1) : 1};
}

struct statistics_interval statistics_share(uint64_t count, uint64_t total)
{
    return statistics_share_uncertain(count, 0, 0, total);
}

struct statistics_interval statistics_share_uncertain(uint64_t count, uint64_t less,
                                                      uint64_t more, uint64_t total)
{
    assert(count <= total);
    if (total == 0)
        return (struct statistics_interval){0, 1};
    uint64_t least = less < count ? count - less : 0;
    uint64_t most = more < total - count ? count + more : total;
    return (struct statistics_interval){score((double)least, (double)total).least,
                                        score((double)most, (double)total).most};
}

void statistics_error_add(struct statistics_error *error, double value,
                          double probability, double count)
{
    double unseen = value * (1 - probability) / probability;
    error->unseen += count * unseen;
    error->squares += count * unseen * unseen;
    error->variance += count * unseen * value / probability;
}

/* Returns the score interval of ESTIMATE. Its lower and upper ends are BELOW and ABOVE
   standard deviations away from ESTIMATE.  */
static struct statistics_interval estimate_within(double estimate,
                                                  const struct statistics_error *error,
                                                  double step, double below, double above)
{
    double seen = error->unseen > 0 ? error->squares / error->unseen : 0;
    double other = fmax(seen, step);
    double under = below * below * seen / 2, over = above * above * other / 2;
    double least = estimate + under - below * sqrt(error->variance + under * seen / 2);
    double most = estimate + over + above * sqrt(error->variance + over * other / 2);
    return (struct statistics_interval){fmax(least, estimate - error->unseen), most};
}

struct statistics_interval
statistics_estimate(double estimate, const struct statistics_error *error, double step)
{
    return estimate_within(estimate, error, step, DEVIATIONS, DEVIATIONS);
}

double statistics_deviations(double times)
{
    double low = 1, high = 40;
    for (int i = 0; i < 60; i++) {
        double x = (low + high) / 2;
        double below = 1 - erfc(x / M_SQRT2) / 2;
        double density = exp(-x * x / 2) / sqrt(2 * M_PI);
        if (below * exp(-fmax(times - 1, 0) * x * density) < 0.975)
            low = x;
        else
            high = x;
    }
    return high;
}

struct statistics_interval statistics_greatest(double estimate,
                                               const struct statistics_error *error,
                                               double step, double times)
{
    return estimate_within(estimate, error, step, statistics_deviations(times),
                           DEVIATIONS);
}

/* Like statistics_deviations, but returns the median instead of the 97.5 % quantile.
   Below x = 1 the rate at 1 is used, since the approximation is valid only for large
   x.  */
static double median_deviations(double times)
{
    double low = 0, high = 40;
    for (int i = 0; i < 60; i++) {
        double x = (low + high) / 2, large = fmax(x, 1);
        double below = 1 - erfc(x / M_SQRT2) / 2;
        double rate = large * exp(-large * large / 2) / sqrt(2 * M_PI);
        if (below * exp(-fmax(times - 1, 0) * rate) < 0.5)
            low = x;
        else
            high = x;
    }
    return high;
}

/* The variance is proportional to the value. Therefore the square root of the value
   solves a quadratic equation.  */
double statistics_likely(double estimate, const struct statistics_error *error,
                         double times)
{
    if (!(estimate > 0))
        return estimate;
    double half = median_deviations(times) * sqrt(error->variance / estimate) / 2;
    double root = sqrt(half * half + estimate) - half;
    return fmax(root * root, estimate - error->unseen);
}

/* Returns the probability that a normally distributed value is more than DEVIATIONS
   standard deviations away from the mean, on either side.  */
static double normal_tails(double deviations)
{
    return erfc(fabs(deviations) / M_SQRT2);
}

struct statistics_interval statistics_subtract(const struct statistics_estimated *after,
                                               const struct statistics_estimated *before)
{
    double difference = after->value - before->value;
    return (struct statistics_interval){
        difference - hypot(after->value - after->interval.least,
                           before->interval.most - before->value),
        difference + hypot(after->interval.most - after->value,
                           before->value - before->interval.least)};
}

double statistics_same(const struct statistics_estimated *difference)
{
    double value = difference->value;
    double half = value > 0 ? value - difference->interval.least
                            : difference->interval.most - value;
    return half > 0 ? normal_tails(DEVIATIONS * value / half) : fabs(value) > 0 ? 0 : 1;
}

struct statistics_interval statistics_difference(uint64_t count, uint64_t total,
                                                 uint64_t before, uint64_t before_total)
{
    if (total == 0 || before_total == 0)
        return (struct statistics_interval){-1, 1};
    const struct statistics_estimated after = {(double)count / (double)total,
                                               statistics_share(count, total)};
    const struct statistics_estimated first = {(double)before / (double)before_total,
                                               statistics_share(before, before_total)};
    return statistics_subtract(&after, &first);
}

/* Returns the natural logarithm of the binomial coefficient of N and K. Uses lgamma_r,
   since lgamma sets a global variable.  */
static double log_choose(double n, double k)
{
    int sign;
    return lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign);
}

/* A distribution over integers. Each probability is computed from its neighbour.  */
struct terms {
    bool hypergeometric;  /* otherwise binomial */
    double all;           /* number of elements divided between two sides */
    double share;         /* binomial: probability of the first side */
    double first, second; /* hypergeometric: size of each side */
};

/* Returns the probability of K + 1 divided by the probability of K.  */
static double step(const struct terms *terms, double k)
{
    if (terms->hypergeometric)
        return (terms->first - k) * (terms->all - k) /
               ((k + 1) * (terms->second - terms->all + k + 1));
    return (terms->all - k) / (k + 1) * terms->share / (1 - terms->share);
}

/* Returns twice the smaller of the two tails beyond SEEN. Each tail includes half of
   HERE, the probability of SEEN (mid-P). The sum ends when further terms no longer
   change it; with large counts this is long before the end of the distribution.  */
static double both_tails(const struct terms *terms, uint64_t least, uint64_t seen,
                         uint64_t most, double here)
{
    double below = 0, above = 0, term = here;
    for (uint64_t k = seen; k > least && term > below * 1e-17; k--)
        below += term /= step(terms, (double)(k - 1));
    term = here;
    for (uint64_t k = seen; k < most && term > above * 1e-17; k++)
        above += term *= step(terms, (double)k);
    return fmin(1, 2 * fmin(below, above) + here);
}

/* Fisher's exact test with the hypergeometric distribution. The first side has TOTAL
   of BOTH_TOTALS elements, and COUNT of the ALL hits.  */
static double fisher(uint64_t count, uint64_t total, uint64_t all, uint64_t both_totals)
{
    uint64_t rest = both_totals - total;
    uint64_t least = all > rest ? all - rest : 0, most = all < total ? all : total;
    double here = exp(log_choose((double)total, (double)count) +
                      log_choose((double)rest, (double)(all - count)) -
                      log_choose((double)both_totals, (double)all));
    const struct terms terms = {.first = (double)total,
                                .second = (double)rest,
                                .all = (double)all,
                                .hypergeometric = true};
    return both_tails(&terms, least, count, most, here);
}

double statistics_same_share(uint64_t count, uint64_t total, uint64_t before,
                             uint64_t before_total)
{
    assert(count <= total && before <= before_total);
    uint64_t all = count + before, both_totals = total + before_total;
    if (total == 0 || before_total == 0 || all == 0 || all == both_totals)
        return 1;
    uint64_t others = both_totals - all;
    /* Count the less frequent outcome. The test is symmetric: shares of 0.9 differ as
       significantly as shares of 0.1.  */
    if (others < all && others <= EXACT_MOST)
        return fisher(total - count, total, others, both_totals);
    if (all <= EXACT_MOST)
        return fisher(count, total, all, both_totals);
    double pooled = (double)all / (double)both_totals;
    double difference =
        (double)count / (double)total - (double)before / (double)before_total;
    return normal_tails(
        difference /
        sqrt(pooled * (1 - pooled) * (1 / (double)total + 1 / (double)before_total)));
}

double statistics_same_count(uint64_t one, uint64_t other, double share)
{
    assert(share > 0 && share < 1);
    double both = (double)one + (double)other;
    if (one == 0 && other == 0)
        return 1;
    if (both > EXACT_MOST)
        return normal_tails(((double)one - both * share) /
                            sqrt(both * share * (1 - share)));
    double here = exp(log_choose(both, (double)one) + (double)one * log(share) +
                      (double)other * log1p(-share));
    const struct terms terms = {.all = both, .share = share};
    return both_tails(&terms, 0, one, one + other, here);
}

double statistics_tail(uint64_t least, uint64_t total, double share)
{
    assert(share > 0 && share < 1);
    double all = (double)total, at = (double)least, sum = 0;
    if (at <= all * share)
        return least ? 1 - statistics_tail(total - least + 1, total, 1 - share) : 1;
    if (least > total)
        return 0;
    /* Above the mean each probability is smaller than the one before it.  */
    double here = exp(log_choose(all, at) + at * log(share) + (all - at) * log1p(-share));
    for (; at <= all && here > sum * 1e-17; at++) {
        sum += here;
        here *= (all - at) / (at + 1) * share / (1 - share);
    }
    return sum;
}

bool statistics_is_uneven(uint64_t most, uint64_t total, size_t workers, size_t rows)
{
    if (workers < 2)
        return false;
    double share = 1 / (double)workers;
    return (double)most > (double)total * share &&
           statistics_tail(most, total, share) * (double)workers * (double)rows <
               STATISTICS_LEVEL;
}

double statistics_bound(uint64_t total)
{
    if (total == 0)
        return 1;
    struct statistics_interval half = score((double)total / 2, (double)total);
    return (half.most - half.least) / 2;
}

#define LEVEL 0.05

/* The continued fraction of the incomplete beta function, computed with Lentz's method
   (NIST Digital Library of Mathematical Functions, 8.17.22 and 3.10).  */
static double beta_fraction(double x, double a, double b)
{
    static const double tiny = 1e-300, enough = 1e-15;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double before = value;
        const double terms[] = {even, odd};
        for (size_t i = 0; i < 2; i++) {
            d = 1 + terms[i] * d;
            c = 1 + terms[i] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            value *= d * c;
        }
        if (fabs(value - before) < enough * value)
            break;
    }
    return value;
}

/* Use lgamma_r, since lgamma sets a global variable that all threads share.  */
static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* Returns the regularized incomplete beta function at X. Y is 1 - X. The caller
   computes Y, since the difference would be inexact for an X near 1.  */
static double beta(double x, double y, double a, double b)
{
    if (x <= 0 || y <= 0)
        return x <= 0 ? 0 : 1;
    double front =
        exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log(y));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(y, b, a) / b;
}

double student_beyond(double t, double freedom)
{
    assert(freedom > 0);
    /* With so many degrees of freedom, the normal distribution is accurate enough.  */
    if (freedom > 1e6)
        return erfc(fabs(t) / sqrt(2));
    if (isinf(t))
        return 0;
    double sum = freedom + t * t;
    return beta(freedom / sum, t * t / sum, freedom / 2, 0.5);
}

double student_bound(double freedom)
{
    double least = 0, most = 2;
    while (student_beyond(most, freedom) > LEVEL)
        most *= 2;
    for (int i = 0; i < 60; i++) {
        double middle = (least + most) / 2;
        if (student_beyond(middle, freedom) > LEVEL)
            least = middle;
        else
            most = middle;
    }
    return most;
}

/* Returns the term of one side in the denominator of Welch's degrees of freedom.  */
static double part(const struct student_mean *side)
{
    return isinf(side->freedom) ? 0 : side->variance * side->variance / side->freedom;
}

double student_freedom(const struct student_mean *one, const struct student_mean *other)
{
    double sum = one->variance + other->variance;
    double parts = part(one) + part(other);
    return parts > 0 ? sum * sum / parts : INFINITY;
}

struct student_mean student_mean(const double *values, size_t count)
{
    assert(count > 0);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    double freedom = (double)count - 1;
    return (struct student_mean){
        .mean = mean,
        .variance = count > 1 ? squares / freedom / (double)count : 0,
        .freedom = freedom,
    };
}

bool student_ratio(const struct student_mean *above, const struct student_mean *below,
                   double *least, double *most)
{
    double ratio = above->mean / below->mean;
    struct student_mean scaled = *below;
    scaled.variance *= ratio * ratio;
    if (!(above->freedom > 0) || !(below->freedom > 0) ||
        !(above->variance + scaled.variance > 0))
        return false;
    double t = student_bound(student_freedom(above, &scaled));
    /* The ratio r is in the interval if above - r * below may be 0. Its bounds are the
       roots of a quadratic equation in r.  */
    double a = below->mean * below->mean - t * t * below->variance;
    double b = above->mean * below->mean;
    double c = above->mean * above->mean - t * t * above->variance;
    if (!(a > 0))
        return false;
    double root = sqrt(fmax(b * b - a * c, 0));
    *least = (b - root) / a;
    *most = (b + root) / a;
    return true;
}

/* The trigamma function: the second derivative of the logarithm of the gamma function
   (NIST Digital Library of Mathematical Functions, 5.15.5 and 5.15.8).  */
static double trigamma(double x)
{
    double sum = 0;
    for (; x < 10; x++)
        sum += 1 / (x * x);
    double square = 1 / (x * x);
    return sum + 1 / x + square / 2 +
           square / x * (1.0 / 6 - square * (1.0 / 30 - square / 42));
}

/* Returns the x for which trigamma(x) is VALUE. trigamma is a decreasing function.  */
static double inverse_trigamma(double value)
{
    double least = 1e-6, most = 1e12;
    for (int i = 0; i < 100; i++) {
        double middle = sqrt(least * most);
        if (trigamma(middle) > value)
            least = middle;
        else
            most = middle;
    }
    return least;
}

/* Returns how much the logarithms of RATIOS vary in addition to chance, expressed as
   degrees of freedom.  */
static double freedom_between(const double *ratios, size_t count, double freedom)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += log(ratios[i]);
    for (size_t i = 0; i < count; i++) {
        double away = log(ratios[i]) - sum / (double)count;
        squares += away * away;
    }
    double beyond = count > 1 ? squares / ((double)count - 1) - trigamma(freedom / 2) : 0;
    return beyond > 0 ? 2 * inverse_trigamma(beyond) : INFINITY;
}

static int by_size(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return BUF_ORDER(a, b);
}

struct student_common student_common(double *ratios, size_t count, double freedom)
{
    if (count < 3)
        return (struct student_common){1, INFINITY};
    BUF_SORT(ratios, count, by_size);
    double middle = (ratios[(count - 1) / 2] + ratios[count / 2]) / 2;
    return (struct student_common){
        .ratio = middle / pow(1 - 2 / (9 * freedom), 3),
        .freedom =
            fmin((double)count * freedom / 2, freedom_between(ratios, count, freedom)),
    };
}

static int by_value(const void *one, const void *other)
{
    return by_size(*(double *const *)one, *(double *const *)other);
}

void student_family(double *probabilities, size_t count)
{
    double **order = buf_alloc((count + 1) * sizeof *order), most = 0;
    for (size_t i = 0; i < count; i++)
        order[i] = &probabilities[i];
    BUF_SORT(order, count, by_value);
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fmin(*order[i] * (double)(count - i), 1));
        *order[i] = most;
    }
    free(order);
}
