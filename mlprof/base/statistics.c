/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/statistics.h"

#include <assert.h>
#include <math.h>

/* Standard deviations on each side that hold 95 of 100.  */
#define DEVIATIONS 1.959963984540054

/* Up to so many the exact tests add up their distributions; beyond, a normal distribution
   is as good.  */
#define EXACT_MOST 2000

/* The score interval of SUCCESSES, which need not be whole, of TOTAL.  */
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

struct statistics_interval statistics_count(uint64_t count)
{
    double square = DEVIATIONS * DEVIATIONS, middle = (double)count + square / 2;
    double spread = DEVIATIONS * sqrt((double)count + square / 4);
    return (struct statistics_interval){count ? middle - spread : 0, middle + spread};
}

struct statistics_interval statistics_difference(uint64_t count, uint64_t total,
                                                 uint64_t before, uint64_t before_total)
{
    if (total == 0 || before_total == 0)
        return (struct statistics_interval){-1, 1};
    double after = (double)count / (double)total;
    double first = (double)before / (double)before_total;
    struct statistics_interval a = statistics_share(count, total);
    struct statistics_interval b = statistics_share(before, before_total);
    double difference = after - first;
    return (struct statistics_interval){
        difference - hypot(after - a.least, b.most - first),
        difference + hypot(a.most - after, first - b.least)};
}

/* Both tails of the normal distribution beyond so many standard deviations.  */
static double normal_tails(double deviations)
{
    return erfc(fabs(deviations) / M_SQRT2);
}

/* Natural logarithm of N over K.  Not lgamma, which sets a global variable.  */
static double log_choose(double n, double k)
{
    int sign;
    return lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign);
}

/* Twice the smaller tail, with half of what was seen.  */
static double both_tails(double below, double seen, double above)
{
    return fmin(1, 2 * fmin(below, above) + seen);
}

/* The hypergeometric distribution of how many of ALL are on the first side.  */
static double fisher(uint64_t count, uint64_t total, uint64_t all, uint64_t both_totals)
{
    uint64_t rest = both_totals - total;
    uint64_t least = all > rest ? all - rest : 0, most = all < total ? all : total;
    double whole = log_choose((double)both_totals, (double)all), tails[2] = {0}, seen = 0;
    for (uint64_t k = least; k <= most; k++) {
        double here = exp(log_choose((double)total, (double)k) +
                          log_choose((double)rest, (double)(all - k)) - whole);
        if (k == count)
            seen = here;
        else
            tails[k > count] += here;
    }
    return both_tails(tails[0], seen, tails[1]);
}

double statistics_same_share(uint64_t count, uint64_t total, uint64_t before,
                             uint64_t before_total)
{
    assert(count <= total && before <= before_total);
    uint64_t all = count + before, both_totals = total + before_total;
    if (total == 0 || before_total == 0 || all == 0 || all == both_totals)
        return 1;
    uint64_t others = both_totals - all;
    /* What is rarer is counted: shares of 0.9 differ as those of 0.1 do.  */
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
    double tails[2] = {0}, seen = 0;
    for (uint64_t k = 0; k <= one + other; k++) {
        double here = exp(log_choose(both, (double)k) + (double)k * log(share) +
                          (both - (double)k) * log1p(-share));
        if (k == one)
            seen = here;
        else
            tails[k > one] += here;
    }
    return both_tails(tails[0], seen, tails[1]);
}

double statistics_bound(uint64_t total)
{
    if (total == 0)
        return 1;
    struct statistics_interval half = score((double)total / 2, (double)total);
    return (half.most - half.least) / 2;
}
