/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formulas: Wilson's interval for shares, intervals and tests for counts, Fisher's
   exact test, and Student's t with Welch's degrees of freedom. GSL computes the
   distributions. */

#include "mlprof/base/statistics.h"
#include "mlprof/base/buf.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>
#include <stdlib.h>

/* GSL's default handler aborts the program, for example if a probability underflows to 0.
 */
__attribute__((constructor)) static void switch_off_error_handler(void)
{
    gsl_set_error_handler_off();
}

/* 95 % of the values of a normal distribution lie within this many standard deviations
   of the mean. */
#define DEVIATIONS 1.959963984540054

/* Maximum count for exact tests, which sum the terms of a distribution. For larger
   counts the normal approximation is accurate enough. */
#define EXACT_MOST 2000

/* Returns Wilson's score interval of the share SUCCESSES / TOTAL. SUCCESSES need not
   be an integer. */
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

bool statistics_add_weights(struct statistics_weights *sum,
                            const struct statistics_weights *more)
{
    if (sum->heaviest < more->heaviest)
        sum->heaviest = more->heaviest;
    return !__builtin_add_overflow(sum->excess, more->excess, &sum->excess);
}

double statistics_design_effect(const struct statistics_weights *weights, uint64_t count)
{
    if (weights->excess == 0 || count == 0)
        return 1;
    return fmin((double)weights->heaviest, 1 + (double)weights->excess / (double)count);
}

uint64_t statistics_effective(uint64_t count, double effect)
{
    return effect > 1 ? (uint64_t)((double)count / effect + 0.5) : count;
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

/* Returns the score interval of ESTIMATE. Its lower end is BELOW standard deviations
   below ESTIMATE, and its upper end is ABOVE standard deviations above it. */
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

/* Returns the quantile PROBABILITY of the error of the highest estimate, in standard
   deviations (statistics_deviations). Below x = 1 the rate at 1 is used, since the
   approximation is valid only for large x. */
static double deviations_of(double times, double probability)
{
    double low = 0, high = 40;
    for (int i = 0; i < 60; i++) {
        double x = (low + high) / 2, large = fmax(x, 1);
        double below = 1 - erfc(x / M_SQRT2) / 2;
        double rate = large * exp(-large * large / 2) / sqrt(2 * M_PI);
        if (below * exp(-fmax(times - 1, 0) * rate) < probability)
            low = x;
        else
            high = x;
    }
    return high;
}

double statistics_deviations(double times)
{
    return deviations_of(times, 0.975);
}

struct statistics_interval statistics_greatest(double estimate,
                                               const struct statistics_error *error,
                                               double step, double times)
{
    return estimate_within(estimate, error, step, statistics_deviations(times),
                           DEVIATIONS);
}

/* The variance is proportional to the value. Therefore the square root of the value
   solves a quadratic equation. */
double statistics_likely(double estimate, const struct statistics_error *error,
                         double times)
{
    if (!(estimate > 0))
        return estimate;
    double half = deviations_of(times, 0.5) * sqrt(error->variance / estimate) / 2;
    double root = sqrt(half * half + estimate) - half;
    return fmax(root * root, estimate - error->unseen);
}

/* Returns the probability that a normally distributed value is more than DEVIATIONS
   standard deviations away from the mean, on either side. */
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
   since lgamma sets a global variable. */
static double log_choose(double n, double k)
{
    int sign;
    return lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign);
}

/* Fisher's exact test with mid-P: returns twice the smaller tail of the hypergeometric
   distribution, where each tail includes half of the probability of COUNT. The first side
   has TOTAL of BOTH_TOTALS elements, and COUNT of the ALL hits. The sums end when further
   terms no longer change them; with large counts this is long before the end of the
   distribution. GSL's hypergeometric distribution is limited to counts of 32 bits. */
static double fisher(uint64_t count, uint64_t total, uint64_t all, uint64_t both_totals)
{
    uint64_t rest = both_totals - total;
    uint64_t least = all > rest ? all - rest : 0, most = all < total ? all : total;
    double probability = exp(log_choose((double)total, (double)count) +
                             log_choose((double)rest, (double)(all - count)) -
                             log_choose((double)both_totals, (double)all));
    double below = 0, above = 0, term = probability;
    for (uint64_t k = count; k > least && term > below * 1e-17; k--)
        below += term *= (double)k * (double)(rest - all + k) / (double)(total - k + 1) /
                         (double)(all - k + 1);
    term = probability;
    for (uint64_t k = count; k < most && term > above * 1e-17; k++)
        above += term *= (double)(total - k) * (double)(all - k) / (double)(k + 1) /
                         (double)(rest - all + k + 1);
    return fmin(1, 2 * fmin(below, above) + probability);
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
       significantly as shares of 0.1. */
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
    double probability = exp(log_choose(both, (double)one) + (double)one * log(share) +
                             (double)other * log1p(-share));
    double below = statistics_tail(other + 1, one + other, 1 - share);
    double above = statistics_tail(one + 1, one + other, share);
    return fmin(1, 2 * fmin(below, above) + probability);
}

double statistics_tail(uint64_t least, uint64_t total, double share)
{
    assert(share > 0 && share < 1);
    if (least == 0 || least > total)
        return least == 0;
    return gsl_cdf_beta_P(share, (double)least, (double)(total - least) + 1);
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

/* With more degrees of freedom, the normal distribution is accurate enough. */
#define LIKE_NORMAL 1e6

double student_beyond(double t, double freedom)
{
    assert(freedom > 0);
    if (freedom > LIKE_NORMAL)
        return normal_tails(t);
    if (isinf(t))
        return 0;
    return 2 * gsl_cdf_tdist_Q(fabs(t), freedom);
}

double student_bound(double freedom)
{
    return freedom > LIKE_NORMAL ? DEVIATIONS
                                 : gsl_cdf_tdist_Qinv(STATISTICS_LEVEL / 2, freedom);
}

/* Returns the term of one side in the denominator of Welch's degrees of freedom. */
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

/* Returns the x for which the trigamma function has the value VALUE. The function is
   decreasing. */
static double inverse_trigamma(double value)
{
    double least = 1e-6, most = 1e12;
    for (int i = 0; i < 100; i++) {
        double middle = sqrt(least * most);
        if (gsl_sf_psi_1(middle) > value)
            least = middle;
        else
            most = middle;
    }
    return least;
}

/* Returns how much the logarithms of RATIOS vary in addition to chance, expressed as
   degrees of freedom. */
static double freedom_between(const double *ratios, size_t count, double freedom)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += log(ratios[i]);
    for (size_t i = 0; i < count; i++) {
        double deviation = log(ratios[i]) - sum / (double)count;
        squares += deviation * deviation;
    }
    double beyond =
        count > 1 ? squares / ((double)count - 1) - gsl_sf_psi_1(freedom / 2) : 0;
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
    BUF_OWN double **order = buf_alloc((count + 1) * sizeof *order);
    double most = 0;
    for (size_t i = 0; i < count; i++)
        order[i] = &probabilities[i];
    BUF_SORT(order, count, by_value);
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fmin(*order[i] * (double)(count - i), 1));
        *order[i] = most;
    }
}
