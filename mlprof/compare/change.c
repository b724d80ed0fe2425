/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the test for the measure: samples, exact counts, or estimates of the heap.
   Each test sets a verdict, and the variation between runs then widens it
   (variation.c). */

#include "mlprof/compare/change.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/compare/variation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The context for all rows. */
struct comparison {
    struct changes *changes;
    const struct runset *const *sides;
    double longest;              /* seconds of the trials of one run; for shares 1 */
    double trials[2];            /* by side: numbers of trials (measure_runs) */
    struct variation_values row; /* of the current row */
    struct variation variation;
    double *ratios; /* variation_ratio of each tested function */
    size_t ratio_count;
};

/* With this number of trials for each sample, a binomial count is a Poisson count. */
#define POISSON_TRIALS 100

/* Sets how many trials the samples of a function are taken from. With one run on each
   side it is not known how much equal runs differ. The length of a run is then taken
   as random, too: the samples of a function are a Poisson count. Otherwise two runs of
   a program that spends its time in one function would certainly differ. */
static void measure_runs(struct comparison *comparison)
{
    bool of_share = comparison->changes->of_share;
    comparison->longest = of_share ? 1 : 0;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; !of_share && i < comparison->sides[s]->runs.count; i++)
            comparison->longest =
                fmax(comparison->longest,
                     runset_sampled_seconds(&comparison->sides[s]->runs.list[i]));
    if (!of_share && !(variation_freedom(&comparison->variation) > 0))
        comparison->longest *= POISSON_TRIALS;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < comparison->sides[s]->runs.count; i++) {
            const struct runset_run *run = &comparison->sides[s]->runs.list[i];
            comparison->trials[s] += of_share
                                         ? (double)run->samples
                                         : ceil(comparison->longest * (double)run->rate);
        }
}

/* Converts a count of a run to the unit. */
static double in_unit(const struct comparison *comparison, const struct runset_run *run,
                      uint64_t count)
{
    if (!comparison->changes->seconds)
        return (double)count;
    uint64_t divisor = comparison->changes->of_share ? run->samples : run->rate;
    return divisor ? (double)count / (double)divisor : 0;
}

/* Sets the verdict from the numbers of samples SUMS of both sides, without regard to
   differences between runs. */
static void test_samples(const struct comparison *comparison, struct change *change,
                         const uint64_t sums[2])
{
    uint64_t trials[2], counts[2];
    for (size_t s = 0; s < 2; s++) {
        double effect = variation_design_effect(&comparison->variation, s, sums[s]);
        counts[s] = statistics_effective(sums[s], effect);
        trials[s] = statistics_effective((uint64_t)comparison->trials[s], effect);
        if (trials[s] < counts[s])
            trials[s] = counts[s];
    }
    uint64_t both = counts[0] + counts[1];
    struct statistics_interval interval =
        statistics_difference(counts[1], trials[1], counts[0], trials[0]);
    double difference = change_difference(change);
    change->verdict.interval.least =
        fmin(interval.least * comparison->longest, difference);
    change->verdict.interval.most = fmax(interval.most * comparison->longest, difference);
    change->verdict.chance =
        statistics_same_share(counts[1], trials[1], counts[0], trials[0]);
    uint64_t most[2] = {both < trials[0] ? both : trials[0],
                        both < trials[1] ? both : trials[1]};
    double best =
        fmin(statistics_same_share(most[1], trials[1], both - most[1], trials[0]),
             statistics_same_share(both - most[0], trials[1], most[0], trials[0]));
    change->verdict.tested = best <= STATISTICS_LEVEL;
}

/* Widens the verdict by the differences between runs. Returns whether the runs
   differ. */
static bool test_runs(struct change *change, struct variation_estimate found)
{
    return verdict_widen(&change->verdict, change_difference(change), found.variance,
                         found.freedom);
}

/* Sets the means from the values of the current row. */
static void set_means(const struct comparison *comparison, struct change *change)
{
    double means[2];
    for (size_t s = 0; s < 2; s++)
        means[s] =
            student_mean(comparison->row.values[s], comparison->sides[s]->runs.count)
                .mean;
    change->before = means[0];
    change->after = means[1];
    change->verdict.interval.least = change->verdict.interval.most = means[1] - means[0];
}

/* Sets the verdict on counts, which are exact unless runs differ. If the counts are
   estimates, widens the verdict by the differences between runs. */
static void test_counts(const struct comparison *comparison, struct change *change)
{
    bool differ =
        test_runs(change, variation_of_counts(&comparison->variation, &comparison->row));
    if (comparison->changes->estimated) {
        struct statistics_interval *interval = &change->verdict.interval;
        if (!comparison->changes->seconds)
            *interval = (struct statistics_interval){floor(interval->least),
                                                     ceil(interval->most)};
        return;
    }
    change->verdict.tested = differ;
    change->exact = !differ;
    if (change->exact)
        change->verdict.certain =
            change->before < change->after || change->after < change->before;
}

/* Sets the verdict on estimates from their confidence intervals. FUNCTIONS has the
   function on both sides; NULL: test the totals. A function that does not exist on a
   side has the value 0. */
static void test_estimates(const struct comparison *comparison, struct change *change,
                           const uint32_t functions[2])
{
    struct runset_measure measure = comparison->changes->measure;
    struct statistics_estimated estimates[2] = {0}, difference;
    for (size_t s = 0; s < 2; s++)
        if (!functions)
            estimates[s] = runset_estimate_all(comparison->sides[s], measure);
        else if (change->exists[s] || comparison->sides[s]->of_stacks)
            estimates[s] = runset_estimate(comparison->sides[s], functions[s], measure);
    difference.value = change_difference(change);
    difference.interval = statistics_subtract(&estimates[1], &estimates[0]);
    if (comparison->changes->seconds) { /* waits are in nanoseconds */
        difference.interval.least *= 1e-9;
        difference.interval.most *= 1e-9;
    }
    change->verdict.interval = difference.interval;
    change->verdict.chance = statistics_same(&difference);
    change->verdict.tested =
        !isinf(difference.interval.least) && !isinf(difference.interval.most);
}

/* Sets the counts and values of each run to those of a row. */
static void fill_row_values(const struct comparison *comparison,
                            const struct match *match, size_t row)
{
    for (size_t s = 0; s < 2; s++) {
        const struct runset *side = comparison->sides[s];
        uint32_t function = match->functions[row * match->sides + s];
        for (size_t i = 0; i < side->runs.count; i++) {
            const struct runset_run *run = &side->runs.list[i];
            uint64_t count = runset_value(run, function, comparison->changes->measure);
            comparison->row.counts[s][i] = count;
            comparison->row.values[s][i] = in_unit(comparison, run, count);
        }
    }
}

/* Compares a row without taking other rows into account. */
static struct change compare_row(struct comparison *comparison, const struct match *match,
                                 size_t row)
{
    struct change change = {.row = row};
    uint64_t counts[2] = {0};
    fill_row_values(comparison, match, row);
    for (size_t s = 0; s < 2; s++) {
        uint32_t function = match->functions[row * match->sides + s];
        change.exists[s] =
            function != MATCH_NONE || !runset_has_all(comparison->sides[s]);
        change.share[s] =
            runset_share(comparison->sides[s], function, comparison->changes->measure);
        for (size_t i = 0; i < comparison->sides[s]->runs.count; i++)
            counts[s] += comparison->row.counts[s][i];
    }
    set_means(comparison, &change);
    if (!comparison->changes->sampled) {
        if (comparison->changes->estimated)
            test_estimates(comparison, &change, &match->functions[row * match->sides]);
        test_counts(comparison, &change);
        return change;
    }
    test_samples(comparison, &change, counts);
    double ratio = change.verdict.tested
                       ? variation_ratio(&comparison->variation, &comparison->row)
                       : 0;
    if (ratio > 0)
        comparison->ratios[comparison->ratio_count++] = ratio;
    return change;
}

/* Widens the verdict on each row by the differences between runs, which are computed
   from all rows. */
static void compare_runs(struct comparison *comparison, const struct match *match)
{
    struct variation *variation = &comparison->variation;
    struct changes *changes = comparison->changes;
    variation->common = student_common(comparison->ratios, comparison->ratio_count,
                                       variation_freedom(variation));
    for (size_t i = 0; i < changes->count; i++) {
        fill_row_values(comparison, match, changes->changes[i].row);
        test_runs(&changes->changes[i],
                  variation_of_samples(variation, &comparison->row));
    }
}

/* Compares the totals: elapsed seconds, or sums of counts. With one run on each side,
   the difference between runs is unknown. */
static void compare_all(const struct comparison *comparison)
{
    struct changes *changes = comparison->changes;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < comparison->sides[s]->runs.count; i++) {
            const struct runset_run *run = &comparison->sides[s]->runs.list[i];
            comparison->row.values[s][i] =
                changes->sampled
                    ? run->seconds
                    : in_unit(comparison, run, runset_total(run, changes->measure));
        }
    set_means(comparison, &changes->all);
    if (changes->estimated)
        test_estimates(comparison, &changes->all, NULL);
    test_counts(comparison, &changes->all);
    if (changes->all.verdict.tested)
        changes->all.verdict.certain = changes->all.verdict.chance <= STATISTICS_LEVEL;
}

BUF_COMPARE(by_size, struct change,
            verdict_order(&a->verdict, change_difference(a), &b->verdict,
                          change_difference(b))
                ?: BUF_ORDER(a->row, b->row))

void changes_find(struct changes *changes, const struct match *match,
                  const struct runset *const sides[2], struct runset_measure measure,
                  bool of_share)
{
    *changes = (struct changes){.measure = measure,
                                .sampled = measure.base->sampled,
                                .seconds = measure.base->unit == MEASURE_NANOSECONDS,
                                .estimated = runset_is_estimated(sides[0]) ||
                                             runset_is_estimated(sides[1]),
                                .of_share = of_share};
    struct comparison comparison = {
        .changes = changes,
        .sides = sides,
        .variation = {.sides = sides, .of_share = of_share},
        .ratios = buf_alloc((match->count + 1) * sizeof *comparison.ratios)};
    for (size_t s = 0; s < 2; s++) {
        size_t room = sides[s]->runs.count + 1;
        comparison.row.counts[s] = buf_alloc(room * sizeof *comparison.row.counts[s]);
        comparison.row.values[s] = buf_alloc(room * sizeof *comparison.row.values[s]);
    }
    if (changes->sampled)
        measure_runs(&comparison);
    changes->changes = buf_alloc((match->count + 1) * sizeof *changes->changes);
    for (size_t row = 0; row < match->count; row++) {
        struct change change = compare_row(&comparison, match, row);
        if (!(change.before > 0) && !(change.after > 0))
            continue;
        changes->changes[changes->count++] = change;
        changes->equal += change_is_none(&change);
    }
    if (changes->sampled)
        compare_runs(&comparison, match);
    struct verdict_counts counts = verdict_decide(
        &changes->changes->verdict, changes->count, sizeof *changes->changes);
    changes->tested = counts.tested;
    changes->certain = counts.certain;
    compare_all(&comparison);
    BUF_SORT(changes->changes, changes->count, by_size);
    for (size_t s = 0; s < 2; s++) {
        free(comparison.row.counts[s]);
        free(comparison.row.values[s]);
    }
    free(comparison.ratios);
}

/* A common factor needs at least this number of tested functions, and most of them must
   agree with it: at least this share. */
#define COMMON_TESTED 4
#define COMMON_SHARE  0.75

BUF_COMPARE(by_factor, double, BUF_ORDER(*a, *b))

double changes_common_factor(const struct changes *changes)
{
    BUF_OWN double *factors = buf_alloc((changes->count + 1) * sizeof *factors);
    size_t count = 0, agreeing = 0, explained = 0;
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->changes[i];
        if (change->verdict.tested && change->before > 0 && change->after > 0)
            factors[count++] = change->after / change->before;
    }
    if (!changes->sampled || changes->of_share || count < COMMON_TESTED)
        return 0;
    BUF_SORT(factors, count, by_factor);
    double factor = (factors[(count - 1) / 2] + factors[count / 2]) / 2;
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->changes[i];
        double expected = (factor - 1) * change->before;
        bool agrees = change->verdict.tested && change->before > 0 && change->after > 0 &&
                      change->verdict.interval.least <= expected &&
                      expected <= change->verdict.interval.most;
        agreeing += agrees;
        explained += agrees && change->verdict.certain;
    }
    return (double)agreeing >= COMMON_SHARE * (double)count &&
                   explained * 2 > changes->certain
               ? factor
               : 0;
}

bool change_is_none(const struct change *change)
{
    return change->exact && !change->verdict.certain;
}

double change_difference(const struct change *change)
{
    return change->after - change->before;
}

double change_least(const struct change *change)
{
    return change->exact ? change_difference(change) : change->verdict.interval.least;
}

double change_most(const struct change *change)
{
    return change->exact ? change_difference(change) : change->verdict.interval.most;
}

void changes_free(struct changes *changes)
{
    free(changes->changes);
    memset(changes, 0, sizeof *changes);
}
