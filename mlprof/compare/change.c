/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/change.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/student.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What all rows have in common.  */
struct comparison {
    struct changes *changes;
    const struct side *const *sides;
    double longest;    /* of the runs, in seconds of samples; 1 if shares are compared */
    double trials[2];  /* per side: samples that a function could have had */
    double *values[2]; /* room for a value of each run */
};

/* What a run was sampled for.  */
static double sampled_seconds(const struct side_run *run)
{
    return run->rate ? (double)run->samples / (double)run->rate : 0;
}

static void measure_runs(struct comparison *comparison)
{
    bool of_share = comparison->changes->of_share;
    comparison->longest = of_share ? 1 : 0;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; !of_share && i < comparison->sides[s]->run_count; i++)
            comparison->longest = fmax(comparison->longest,
                                       sampled_seconds(&comparison->sides[s]->runs[i]));
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < comparison->sides[s]->run_count; i++) {
            const struct side_run *run = &comparison->sides[s]->runs[i];
            comparison->trials[s] += of_share
                                         ? (double)run->samples
                                         : ceil(comparison->longest * (double)run->rate);
        }
}

/* A count of a run in the unit.  */
static double in_unit(const struct comparison *comparison, const struct side_run *run,
                      uint64_t count)
{
    if (!comparison->changes->sampled)
        return (double)count;
    uint64_t by = comparison->changes->of_share ? run->samples : run->rate;
    return by ? (double)count / (double)by : 0;
}

/* Sets what samples alone tell of the counts, by side.  */
static void test_samples(const struct comparison *comparison, struct change *change,
                         const uint64_t counts[2])
{
    uint64_t trials[2], both = counts[0] + counts[1];
    for (size_t s = 0; s < 2; s++) {
        trials[s] = (uint64_t)comparison->trials[s];
        if (trials[s] < counts[s])
            trials[s] = counts[s];
    }
    struct statistics_interval interval =
        statistics_difference(counts[1], trials[1], counts[0], trials[0]);
    change->interval.least = interval.least * comparison->longest;
    change->interval.most = interval.most * comparison->longest;
    change->chance = statistics_same_share(counts[1], trials[1], counts[0], trials[0]);
    uint64_t most[2] = {both < trials[0] ? both : trials[0],
                        both < trials[1] ? both : trials[1]};
    double best =
        fmin(statistics_same_share(most[1], trials[1], both - most[1], trials[0]),
             statistics_same_share(both - most[0], trials[1], most[0], trials[0]));
    change->tested = best <= STATISTICS_LEVEL;
}

/* The means of the runs.  A side of one run varies as the other one does.  */
static double means_of(struct student_mean means[2], double *const values[2],
                       const size_t counts[2])
{
    for (size_t s = 0; s < 2; s++)
        means[s] = student_mean(values[s], counts[s]);
    for (size_t s = 0; s < 2; s++)
        if (counts[s] == 1) {
            means[s].variance = means[!s].variance * (double)counts[!s];
            return means[!s].freedom;
        }
    return student_freedom(&means[0], &means[1]);
}

/* Widens what is known of a change by how the runs of each side differ among themselves.
   Returns whether they do.  */
static bool test_runs(struct change *change, double *const values[2],
                      const size_t counts[2])
{
    struct student_mean means[2];
    if (counts[0] + counts[1] < 3)
        return false;
    double freedom = means_of(means, values, counts);
    double variance = means[0].variance + means[1].variance;
    if (variance <= 0)
        return false;
    double difference = means[1].mean - means[0].mean;
    double spread = student_bound(freedom) * sqrt(variance);
    change->interval.least = fmin(change->interval.least, difference - spread);
    change->interval.most = fmax(change->interval.most, difference + spread);
    change->chance =
        fmax(change->chance, student_beyond(difference / sqrt(variance), freedom));
    return true;
}

/* Fills what the counts of one thing tell, which are in the room for values already.  */
static void compare_values(const struct comparison *comparison, struct change *change,
                           const uint64_t *samples)
{
    const size_t counts[2] = {comparison->sides[0]->run_count,
                              comparison->sides[1]->run_count};
    double means[2];
    for (size_t s = 0; s < 2; s++)
        means[s] = student_mean(comparison->values[s], counts[s]).mean;
    change->before = means[0];
    change->after = means[1];
    change->interval.least = change->interval.most = means[1] - means[0];
    if (samples)
        test_samples(comparison, change, samples);
    bool differ = test_runs(change, comparison->values, counts);
    change->tested |= differ && !samples;
    change->exact = !samples && !differ;
    if (change->exact)
        change->certain =
            change->before < change->after || change->after < change->before;
}

/* How much of all it is, on a side.  */
static double share_of(const struct side *side, uint32_t function,
                       enum side_measure measure)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < side->run_count; i++) {
        sum += (double)side_value(&side->runs[i], function, measure);
        total += (double)side->runs[i].totals[measure];
    }
    return total > 0 ? sum / total : 0;
}

static struct change compare_row(const struct comparison *comparison,
                                 const struct match *match, size_t row)
{
    struct change change = {.row = row};
    enum side_measure measure = comparison->changes->measure;
    uint64_t counts[2] = {0};
    for (size_t s = 0; s < 2; s++) {
        const struct side *side = comparison->sides[s];
        uint32_t function = match->functions[row * match->sides + s];
        change.exists[s] = function != MATCH_NONE;
        change.share[s] = share_of(side, function, measure);
        for (size_t i = 0; i < side->run_count; i++) {
            uint64_t count = side_value(&side->runs[i], function, measure);
            counts[s] += count;
            comparison->values[s][i] = in_unit(comparison, &side->runs[i], count);
        }
    }
    compare_values(comparison, &change, comparison->changes->sampled ? counts : NULL);
    return change;
}

/* Seconds of the clock are exact but for what differs from run to run; of a single run a
   side nothing is known of that.  */
static void compare_all(const struct comparison *comparison)
{
    struct changes *changes = comparison->changes;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < comparison->sides[s]->run_count; i++) {
            const struct side_run *run = &comparison->sides[s]->runs[i];
            comparison->values[s][i] =
                changes->sampled ? run->seconds : (double)run->totals[changes->measure];
        }
    compare_values(comparison, &changes->all, NULL);
    if (changes->all.tested)
        changes->all.certain = changes->all.chance <= STATISTICS_LEVEL;
}

static double size_of(const struct change *change)
{
    return fabs(change->after - change->before);
}

static int by_size(const void *one, const void *other)
{
    const struct change *a = one, *b = other;
    if (a->certain != b->certain)
        return a->certain ? -1 : 1;
    if (size_of(a) < size_of(b) || size_of(b) < size_of(a))
        return size_of(a) > size_of(b) ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* Decides which changes are certain, of all that were tested together.  */
static void correct(struct changes *changes)
{
    double *chances = buf_alloc((changes->count + 1) * sizeof *chances);
    for (size_t i = 0; i < changes->count; i++)
        if (changes->changes[i].tested)
            chances[changes->tested++] = changes->changes[i].chance;
    student_false_findings(chances, changes->tested);
    for (size_t i = 0, at = 0; i < changes->count; i++) {
        struct change *change = &changes->changes[i];
        if (change->tested) {
            change->chance = chances[at++];
            change->certain = change->chance <= STATISTICS_LEVEL;
        }
        changes->certain += change->certain;
    }
    free(chances);
}

void changes_find(struct changes *changes, const struct match *match,
                  const struct side *const sides[2], enum side_measure measure,
                  bool of_share)
{
    *changes = (struct changes){.measure = measure,
                                .sampled = side_is_sampled(sides[0], measure),
                                .of_share = of_share};
    struct comparison comparison = {.changes = changes, .sides = sides};
    for (size_t s = 0; s < 2; s++)
        comparison.values[s] =
            buf_alloc((sides[s]->run_count + 1) * sizeof *comparison.values[s]);
    if (changes->sampled)
        measure_runs(&comparison);
    changes->changes = buf_alloc((match->count + 1) * sizeof *changes->changes);
    for (size_t row = 0; row < match->count; row++) {
        struct change change = compare_row(&comparison, match, row);
        if (!(change.before > 0) && !(change.after > 0))
            continue;
        changes->changes[changes->count++] = change;
        changes->equal += change.exact && !change.certain;
    }
    correct(changes);
    compare_all(&comparison);
    if (changes->count)
        qsort(changes->changes, changes->count, sizeof *changes->changes, by_size);
    for (size_t s = 0; s < 2; s++)
        free(comparison.values[s]);
}

void changes_free(struct changes *changes)
{
    free(changes->changes);
    memset(changes, 0, sizeof *changes);
}
