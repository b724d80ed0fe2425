/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/growth.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"

#include <math.h>
#include <stdlib.h>

/* The least variance of a logarithm, so that exact counts have a finite weight.  */
#define LEAST_VARIANCE 1e-18

/* Sums for a line through points, each with its weight.  */
struct sums {
    double weight, x, y, xx, xy;
};

static double weight_of(const struct growth_point *point)
{
    return 1 / fmax(point->variance, LEAST_VARIANCE);
}

static bool has_value(const struct growth_point *point)
{
    return point->value > 0 && point->size > 0 && !isinf(point->variance);
}

/* Sums of the points' logarithms: X and Y are means, XX and XY sums of distances from
   these.  */
static struct sums sum_points(const struct growth_point *points, size_t count)
{
    struct sums sums = {0};
    for (size_t i = 0; i < count; i++) {
        if (!has_value(&points[i]))
            continue;
        double weight = weight_of(&points[i]);
        sums.weight += weight;
        sums.x += weight * log(points[i].size);
        sums.y += weight * log(points[i].value);
    }
    sums.x /= sums.weight;
    sums.y /= sums.weight;
    for (size_t i = 0; i < count; i++) {
        if (!has_value(&points[i]))
            continue;
        double weight = weight_of(&points[i]), x = log(points[i].size) - sums.x;
        sums.xx += weight * x * x;
        sums.xy += weight * x * (log(points[i].value) - sums.y);
    }
    return sums;
}

/* The weighted sum of the squared residuals.  */
static double rest(const struct growth_point *points, size_t count,
                   const struct sums *sums, double slope)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (!has_value(&points[i]))
            continue;
        double y = log(points[i].value) - sums->y;
        double left = y - slope * (log(points[i].size) - sums->x);
        sum += weight_of(&points[i]) * left * left;
    }
    return sum;
}

static double last_exponent(const struct growth_point *points, size_t count)
{
    const struct growth_point *last = NULL, *before = NULL;
    for (size_t i = 0; i < count; i++)
        if (has_value(&points[i])) {
            before = last;
            last = &points[i];
        }
    return log(last->value / before->value) / log(last->size / before->size);
}

struct growth_fit growth_fit(const struct growth_point *points, size_t count)
{
    struct growth_fit fit = {.exponent = NAN, .error = NAN, .last = NAN};
    bool exact = true;
    for (size_t i = 0; i < count; i++)
        if (has_value(&points[i])) {
            fit.points++;
            exact &= points[i].variance <= 0;
        }
    if (fit.points < 2)
        return fit;
    struct sums sums = sum_points(points, count);
    if (!(sums.xx > 0))
        return fit;
    fit.exponent = sums.xy / sums.xx;
    fit.last = last_exponent(points, count);
    double left = rest(points, count, &sums, fit.exponent);
    double freedom = (double)fit.points - 2;
    double scale = freedom > 0 ? left / freedom : 1;
    if (!exact) {
        fit.sampling = student_bound(INFINITY) / sqrt(sums.xx);
        fit.error = fit.sampling * sqrt(fmax(scale, 1));
    } else if (freedom > 0) {
        fit.error = student_bound(freedom) * sqrt(scale / sums.xx);
    }
    return fit;
}

/* The relative variance of an estimate of the heap: of a normal distribution whose
   interval is as wide.  One without an upper end is left out of the fit.  */
static double variance_of_estimate(const struct side *side, uint32_t function,
                                   struct side_measure measure)
{
    struct statistics_estimated of = side_estimate(side, function, measure);
    double deviation =
        (of.interval.most - of.interval.least) / 2 / student_bound(INFINITY);
    return deviation * deviation / (of.value * of.value);
}

/* The point of a function at the size of a side.  Sets *SHARE to the function's share of
   the total.  */
static struct growth_point point_of(const struct growth_input *input, size_t side,
                                    uint32_t function, double *share)
{
    const struct side *of = input->sides[side];
    struct side_measure measure = input->measure;
    bool sampled = measure.of->sampled;
    double *values = buf_alloc(of->run_count * sizeof *values), sum = 0;
    for (size_t i = 0; i < of->run_count; i++) {
        const struct side_run *run = &of->runs[i];
        double count = (double)side_value(run, function, measure);
        values[i] = sampled && run->rate ? count / (double)run->rate : count;
        sum += count;
    }
    struct student_mean mean = student_mean(values, of->run_count);
    free(values);
    *share = side_share(of, function, measure);
    struct growth_point point = {.size = input->sizes[side], .value = mean.mean};
    if (mean.mean > 0)
        point.variance = mean.variance / (mean.mean * mean.mean);
    /* The relative variance of a sampled count is (1 - share) / count, but never 0, not
       even for a share of 1.  */
    if (sampled && sum > 0)
        point.variance = fmax(point.variance, fmax(1 - *share, 1 / (sum + 1)) / sum);
    if (side_is_estimated(of) && sum > 0)
        point.variance =
            fmax(point.variance, variance_of_estimate(of, function, measure));
    return point;
}

static double surely(const struct growth_fit *fit)
{
    return fit->exponent - fit->sampling;
}

static int by_growth(const void *one, const void *other)
{
    const struct growth_row *a = one, *b = other;
    bool no_a = isnan(a->fit.exponent), no_b = isnan(b->fit.exponent);
    if (no_a != no_b)
        return no_a ? 1 : -1;
    if (!no_a && (surely(&a->fit) < surely(&b->fit) || surely(&b->fit) < surely(&a->fit)))
        return surely(&a->fit) > surely(&b->fit) ? -1 : 1;
    return BUF_ORDER(a->row, b->row);
}

/* Adds a function if it has a value at some size.  */
static void add_row(struct growth *growth, size_t row)
{
    const struct growth_input *input = &growth->input;
    const struct match *match = &growth->match;
    struct growth_row *grown = &growth->rows[growth->count];
    bool any = false;
    *grown =
        (struct growth_row){.row = row,
                            .function = match_function(match, input->sides, row),
                            .points = buf_alloc(input->count * sizeof *grown->points)};
    for (size_t i = 0; i < input->count; i++) {
        double share;
        grown->points[i] =
            point_of(input, i, match->functions[row * match->sides + i], &share);
        if (grown->points[i].value > 0) {
            any = true;
            grown->share = fmax(grown->share, share);
        }
    }
    if (!any) {
        free(grown->points);
        return;
    }
    grown->fit = growth_fit(grown->points, input->count);
    growth->count++;
}

size_t *growth_order(const struct growth_input *input)
{
    size_t *order = buf_alloc(input->count * sizeof *order);
    for (size_t i = 0; i < input->count; i++) {
        size_t at = i;
        for (; at > 0 && input->sizes[order[at - 1]] > input->sizes[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

void growth_find(struct growth *growth, const struct growth_input *input)
{
    *growth = (struct growth){.input = *input};
    size_t *order = growth_order(input);
    growth->sides = buf_alloc(input->count * sizeof *growth->sides);
    growth->sizes = buf_alloc(input->count * sizeof *growth->sizes);
    for (size_t i = 0; i < input->count; i++) {
        growth->sides[i] = input->sides[order[i]];
        growth->sizes[i] = input->sizes[order[i]];
    }
    free(order);
    growth->input.sides = growth->sides;
    growth->input.sizes = growth->sizes;
    match_find(&growth->match, growth->sides, input->count);
    growth->rows = buf_alloc((growth->match.count + 1) * sizeof *growth->rows);
    for (size_t i = 0; i < growth->match.count; i++)
        add_row(growth, i);
    BUF_SORT(growth->rows, growth->count, by_growth);
}

void growth_free(struct growth *growth)
{
    for (size_t i = 0; i < growth->count; i++)
        free(growth->rows[i].points);
    free(growth->rows);
    match_free(&growth->match);
    free(growth->sides);
    free(growth->sizes);
}
