/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/growth.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/student.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/match-names.h"
#include "mlprof/compare/match.h"

#include <math.h>
#include <stdlib.h>

/* Logarithms are known no better, so that points of exact counts have a weight.  */
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
    return point->value > 0 && point->size > 0;
}

/* The sums of distances from the means.  */
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

/* The weighted sum of squares of what the line leaves over.  */
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

/* The value of a function at a size, and how certain it is.  */
static struct growth_point point_of(const struct growth_input *input, size_t side,
                                    uint32_t function, double *share)
{
    const struct side *of = input->sides[side];
    bool sampled = side_is_sampled(of, input->measure);
    double *values = buf_alloc(of->run_count * sizeof *values), sum = 0, total = 0;
    for (size_t i = 0; i < of->run_count; i++) {
        const struct side_run *run = &of->runs[i];
        double count = (double)side_value(run, function, input->measure);
        values[i] = sampled && run->rate ? count / (double)run->rate : count;
        sum += count;
        total += (double)run->totals[input->measure];
    }
    struct student_mean mean = student_mean(values, of->run_count);
    free(values);
    *share = total > 0 ? sum / total : 0;
    struct growth_point point = {.size = input->sizes[side], .value = mean.mean};
    if (mean.mean > 0)
        point.variance = mean.variance / (mean.mean * mean.mean);
    /* Of all samples none is left to chance; but one is not certain even so.  */
    if (sampled && sum > 0)
        point.variance = fmax(point.variance, fmax(1 - *share, 1 / (sum + 1)) / sum);
    return point;
}

/* A row of the table.  */
struct grown {
    size_t row;
    struct growth_fit fit;
    struct growth_point *points; /* by size */
    bool shown;
};

static double surely(const struct growth_fit *fit)
{
    return fit->exponent - fit->sampling;
}

static int by_growth(const void *one, const void *other)
{
    const struct grown *a = one, *b = other;
    bool no_a = isnan(a->fit.exponent), no_b = isnan(b->fit.exponent);
    if (no_a != no_b)
        return no_a ? 1 : -1;
    if (!no_a && (surely(&a->fit) < surely(&b->fit) || surely(&b->fit) < surely(&a->fit)))
        return surely(&a->fit) > surely(&b->fit) ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static struct grown grow(const struct growth_input *input, const struct match *match,
                         size_t row)
{
    struct grown grown = {.row = row};
    grown.points = buf_alloc(input->count * sizeof *grown.points);
    for (size_t i = 0; i < input->count; i++) {
        double share;
        grown.points[i] =
            point_of(input, i, match->functions[row * match->sides + i], &share);
        grown.shown |= grown.points[i].value > 0 && 100 * share >= input->thresh;
    }
    grown.fit = growth_fit(grown.points, input->count);
    return grown;
}

/* A number that may be unknown.  */
static char *known(double value)
{
    /* -0.00 is no number.  */
    return isnan(value) ? buf_copy("-")
                        : buf_format("%.2f", fabs(value) < 0.005 ? 0 : value);
}

/* The first size of which there is a column: the greatest have one.  */
static size_t first_shown(const struct growth_input *input)
{
    const size_t others = 4; /* columns */
    return input->count + others > SHEET_MOST ? input->count + others - SHEET_MOST : 0;
}

static void add_row(struct sheet *sheet, const struct growth_input *input,
                    const struct grown *grown)
{
    bool sampled = side_is_sampled(input->sides[0], input->measure);
    sheet_put(sheet, known(grown->fit.exponent));
    sheet_put(sheet, known(grown->fit.error));
    sheet_put(sheet, known(grown->fit.last));
    for (size_t i = first_shown(input); i < input->count; i++) {
        double value = grown->points[i].value;
        bool whole = !(floor(value) < value);
        char *number = text_commas(value, sampled ? 2 : whole ? 0 : 1);
        sheet_put(sheet, sampled ? buf_format("%ss", number) : buf_copy(number));
        free(number);
    }
}

/* Adds the columns; the heads of the sizes are to be freed.  */
static char **add_columns(struct sheet *sheet, const struct growth_input *input)
{
    static const char *const heads[] = {"exponent", "+-", "last"};
    char **sizes = buf_alloc(input->count * sizeof *sizes);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        sheet_column(sheet, heads[i], SHEET_NUMBER, 1);
    for (size_t i = first_shown(input); i < input->count; i++) {
        sizes[i] = buf_format("n=%g", input->sizes[i]);
        sheet_column(sheet, sizes[i], SHEET_NUMBER, 1);
    }
    sheet_column(sheet, "function", SHEET_TEXT, 0);
    return sizes;
}

static void print_rows(FILE *out, const struct growth_input *input,
                       const struct match *match, const struct grown *rows)
{
    struct sheet sheet = {0};
    char **heads = add_columns(&sheet, input);
    bool *alike = match_names_alike(match, input->sides);
    for (size_t i = 0; i < match->count; i++)
        if (rows[i].shown) {
            add_row(&sheet, input, &rows[i]);
            match_names_put(&sheet, match, input->sides, rows[i].row,
                            input->show_line || alike[rows[i].row]);
        }
    fprintf(out, "%s grow with the input's size n as n^exponent\n\n",
            side_unit(input->sides[0], input->measure));
    sheet_cut(&sheet, input->top);
    sheet_print(out, &sheet, false);
    free(alike);
    for (size_t i = 0; i < input->count; i++)
        free(heads[i]);
    free(heads);
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

/* The functions of an input whose sides are by size.  */
struct table {
    struct growth_input input;
    const struct side **sides;
    double *sizes;
    struct match match;
    struct grown *rows;
};

static void fill(struct table *table, const struct growth_input *input)
{
    size_t *order = growth_order(input);
    table->sides = buf_alloc(input->count * sizeof *table->sides);
    table->sizes = buf_alloc(input->count * sizeof *table->sizes);
    for (size_t i = 0; i < input->count; i++) {
        table->sides[i] = input->sides[order[i]];
        table->sizes[i] = input->sizes[order[i]];
    }
    free(order);
    table->input = *input;
    table->input.sides = table->sides;
    table->input.sizes = table->sizes;
    match_find(&table->match, table->sides, input->count);
    table->rows = buf_alloc((table->match.count + 1) * sizeof *table->rows);
    for (size_t i = 0; i < table->match.count; i++)
        table->rows[i] = grow(&table->input, &table->match, i);
    if (table->match.count)
        qsort(table->rows, table->match.count, sizeof *table->rows, by_growth);
}

static void release(struct table *table)
{
    for (size_t i = 0; i < table->match.count; i++)
        free(table->rows[i].points);
    free(table->rows);
    match_free(&table->match);
    free(table->sides);
    free(table->sizes);
}

void growth_print(FILE *out, const struct growth_input *input)
{
    struct table table;
    fill(&table, input);
    print_rows(out, &table.input, &table.match, table.rows);
    release(&table);
}

void growth_each(const struct growth_input *input,
                 void (*do_row)(void *data, const struct growth_row *row), void *data)
{
    struct table table;
    fill(&table, input);
    for (size_t i = 0; i < table.match.count; i++) {
        const struct grown *grown = &table.rows[i];
        bool any = false;
        for (size_t k = 0; k < input->count; k++)
            any |= grown->points[k].value > 0;
        if (any)
            do_row(data, &(struct growth_row){.function = match_function(
                                                  &table.match, table.sides, grown->row),
                                              .fit = grown->fit,
                                              .points = grown->points});
    }
    release(&table);
}
