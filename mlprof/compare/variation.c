/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the variances and degrees of freedom of a change. change.c combines them to
   a verdict. */

#include "mlprof/compare/variation.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"

#include <math.h>
#include <stdlib.h>

/* The variance caused by rounding to whole numbers. It is the minimum variance of
   counts. */
#define ROUNDING (1.0 / 12)

static size_t runs_of(const struct variation *variation, size_t side)
{
    return variation->sides[side]->runs.count;
}

struct variation_estimate variation_of_means(const struct student_mean means[2],
                                             const size_t runs[2])
{
    double variances[] = {means[0].variance, means[1].variance};
    double freedom = student_freedom(&means[0], &means[1]);
    for (size_t s = 0; s < 2; s++)
        if (runs[s] == 1 && runs[!s] > 1) {
            variances[s] = means[!s].variance * (double)runs[!s];
            freedom = means[!s].freedom;
        }
    return (struct variation_estimate){variances[0] + variances[1], freedom};
}

static struct variation_estimate difference_of_means(const struct variation *variation,
                                                     const struct student_mean means[2])
{
    const size_t runs[] = {runs_of(variation, 0), runs_of(variation, 1)};
    return variation_of_means(means, runs);
}

static void find_means(const struct variation *variation,
                       const struct variation_values *function,
                       struct student_mean means[2])
{
    for (size_t s = 0; s < 2; s++)
        means[s] = student_mean(function->values[s], runs_of(variation, s));
}

/* Returns the variance of the total times of runs, scaled to the function's share.
   Times of all functions change with the speed of the machine; shares do not, so their
   variance is 0. */
static struct variation_estimate difference_of_times(const struct variation *variation,
                                                     const struct student_mean *functions)
{
    struct student_mean means[2] = {0};
    for (size_t s = 0; s < 2; s++) {
        const struct runset *side = variation->sides[s];
        BUF_OWN double *seconds = buf_alloc(side->runs.count * sizeof *seconds);
        for (size_t i = 0; i < side->runs.count; i++)
            seconds[i] = runset_sampled_seconds(&side->runs.list[i]);
        means[s] = student_mean(seconds, side->runs.count);
        double share = means[s].mean > 0 ? functions[s].mean / means[s].mean : 0;
        means[s].variance *= variation->of_share ? 0 : share * share;
    }
    return difference_of_means(variation, means);
}

double variation_design_effect(const struct variation *variation, size_t side,
                               uint64_t count)
{
    struct statistics_weights weights = {0};
    for (size_t i = 0; i < runs_of(variation, side); i++)
        statistics_add_weights(&weights, &variation->sides[side]->runs.list[i].weights);
    return statistics_design_effect(&weights, count);
}

/* Returns the design effect of a function's samples. */
static double design_effect_of(const struct variation *variation,
                               const struct variation_values *function, size_t side)
{
    uint64_t count = 0;
    for (size_t i = 0; i < runs_of(variation, side); i++)
        count += function->counts[side][i];
    return variation_design_effect(variation, side, count);
}

/* Returns the function's share of a side's samples. */
static double share_of(const struct variation *variation,
                       const struct variation_values *function, size_t side)
{
    double count = 0, samples = 0;
    for (size_t i = 0; i < runs_of(variation, side); i++) {
        count += (double)function->counts[side][i];
        samples += (double)variation->sides[side]->runs.list[i].samples;
    }
    return samples > 0 ? count / samples : 0;
}

/* Returns the variance of a side's mean due to sampling, for a function with this
   SHARE. */
static double sampling_variance(const struct variation *variation, size_t side,
                                double share)
{
    double variance = 0, runs = (double)runs_of(variation, side);
    for (size_t i = 0; i < runs_of(variation, side); i++) {
        const struct runset_run *run = &variation->sides[side]->runs.list[i];
        double unit = variation->of_share ? (double)run->samples : (double)run->rate;
        if (unit > 0)
            variance += (double)run->samples * share * (1 - share) / (unit * unit);
    }
    return variance / (runs * runs);
}

/* Returns the variance of the difference due to sampling. If a side has no sample of
   the function, the share of the other side is used. */
static double sampling_variance_of_difference(const struct variation *variation,
                                              const struct variation_values *function)
{
    double shares[2] = {share_of(variation, function, 0),
                        share_of(variation, function, 1)};
    double variance = 0;
    for (size_t s = 0; s < 2; s++)
        variance +=
            sampling_variance(variation, s, shares[s] > 0 ? shares[s] : shares[!s]) *
            design_effect_of(variation, function, s);
    return variance;
}

double variation_ratio(const struct variation *variation,
                       const struct variation_values *function)
{
    double squares = 0, expected = 0, runs = 0;
    for (size_t s = 0; s < 2; s++) {
        double share = share_of(variation, function, s);
        double effect = design_effect_of(variation, function, s);
        for (size_t i = 0; i < runs_of(variation, s) && runs_of(variation, s) > 1; i++) {
            double samples = (double)variation->sides[s]->runs.list[i].samples;
            double away = (double)function->counts[s][i] - samples * share;
            double variance = samples * share * (1 - share) * effect;
            if (!(variance > 0))
                return 0;
            squares += away * away / variance;
            expected += variance;
            runs++;
        }
    }
    double freedom = variation_freedom(variation);
    return freedom > 0 ? fmax(squares / freedom, ROUNDING * runs / expected) : 0;
}

double variation_freedom(const struct variation *variation)
{
    return (double)(runs_of(variation, 0) + runs_of(variation, 1)) - 2;
}

/* Returns the term of one variance in the divisor of Satterthwaite's formula. */
static double satterthwaite_term(double variance, double freedom)
{
    return variance > 0 && !isinf(freedom) ? variance * variance / freedom : 0;
}

struct variation_estimate variation_of_samples(const struct variation *variation,
                                               const struct variation_values *function)
{
    if (!(variation_freedom(variation) > 0))
        return (struct variation_estimate){0};
    struct student_mean means[2];
    find_means(variation, function, means);
    struct variation_estimate values = difference_of_means(variation, means);
    struct variation_estimate times = difference_of_times(variation, means);
    double chance = sampling_variance_of_difference(variation, function);
    bool more = variation->common.ratio > 1;
    double others = chance * (more ? variation->common.ratio : 1);
    double least = others + times.variance;
    double variance = fmax(values.variance, least);
    double parts = satterthwaite_term(times.variance, times.freedom) +
                   satterthwaite_term(more ? others : 0, variation->common.freedom) +
                   satterthwaite_term(values.variance - least, values.freedom);
    return (struct variation_estimate){.variance = variance,
                                       .freedom = parts > 0 ? variance * variance / parts
                                                            : INFINITY};
}

struct variation_estimate variation_of_counts(const struct variation *variation,
                                              const struct variation_values *function)
{
    struct student_mean means[2];
    find_means(variation, function, means);
    return difference_of_means(variation, means);
}

bool verdict_widen(struct verdict *verdict, double change, double variance,
                   double freedom)
{
    if (!(variance > 0) || !(freedom > 0))
        return false;
    double error = sqrt(variance), spread = student_bound(freedom) * error;
    verdict->interval.least = fmin(verdict->interval.least, change - spread);
    verdict->interval.most = fmax(verdict->interval.most, change + spread);
    verdict->chance = fmax(verdict->chance, student_beyond(change / error, freedom));
    return true;
}

struct verdict_counts verdict_decide(struct verdict *first, size_t count, size_t size)
{
    struct verdict_counts counts = {0};
    BUF_OWN double *chances = buf_alloc((count + 1) * sizeof *chances);
    BUF_OWN struct verdict **tested = buf_alloc((count + 1) * sizeof *tested);
    for (size_t i = 0; i < count; i++) {
        struct verdict *verdict = (void *)((char *)first + i * size);
        counts.certain += !verdict->tested && verdict->certain;
        if (!verdict->tested)
            continue;
        chances[counts.tested] = verdict->chance;
        tested[counts.tested++] = verdict;
    }
    student_family(chances, counts.tested);
    for (size_t i = 0; i < counts.tested; i++) {
        tested[i]->certain = chances[i] <= STATISTICS_LEVEL;
        counts.certain += tested[i]->certain;
    }
    return counts;
}

int verdict_order(const struct verdict *one, double change, const struct verdict *other,
                  double other_change)
{
    if (one->certain != other->certain)
        return one->certain ? -1 : 1;
    double size = fabs(change), other_size = fabs(other_change);
    return (size < other_size) - (size > other_size);
}

char *verdict_text(const struct verdict *verdict)
{
    const char *mark = verdict->certain ? "*" : " ";
    if (!verdict->tested)
        return buf_format("-%s", mark);
    return verdict->chance < 0.001 ? buf_format("<0.001%s", mark)
                                   : buf_format("%.3f%s", verdict->chance, mark);
}
