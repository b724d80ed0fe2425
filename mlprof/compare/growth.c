/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first part fits the exponent to the points of a function. The second part is the
   table of -growth. */

#include "mlprof/compare/growth.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/match.h"

#include <math.h>
#include <stdlib.h>

/* The minimum variance of a logarithm, which gives exact counts a finite weight. */
#define LEAST_VARIANCE 1e-18

/* Weighted sums over points, for fitting a line. */
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

/* Sums over the points' logarithms. X and Y are means; XX and XY are sums of products
   of the distances from the means. */
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

/* Returns the weighted sum of the squared residuals. */
static double residual_sum(const struct growth_point *points, size_t count,
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
    double left = residual_sum(points, count, &sums, fit.exponent);
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

/* Returns the relative variance of a heap estimate. It is the variance of a normal
   distribution with the same confidence interval. If the interval has no upper end,
   the variance is infinite, so that the fit ignores the estimate. */
static double variance_of_estimate(const struct runset *side, uint32_t function,
                                   struct runset_measure measure)
{
    struct statistics_estimated of = runset_estimate(side, function, measure);
    double deviation =
        (of.interval.most - of.interval.least) / 2 / student_bound(INFINITY);
    return deviation * deviation / (of.value * of.value);
}

/* Returns the point of a function at the size of a side. Sets *SHARE to the
   function's share of the total. */
static struct growth_point point_of(const struct growth_input *input, size_t side,
                                    uint32_t function, double *share)
{
    const struct runset *of = input->sides[side];
    struct runset_measure measure = input->measure;
    bool sampled = measure.base->sampled;
    BUF_OWN double *values = buf_alloc(of->runs.count * sizeof *values);
    double sum = 0;
    for (size_t i = 0; i < of->runs.count; i++) {
        const struct runset_run *run = &of->runs.list[i];
        double count = (double)runset_value(run, function, measure);
        values[i] = measure.base->unit == MEASURE_NANOSECONDS && run->rate
                        ? count / (double)run->rate
                        : count;
        sum += count;
    }
    struct student_mean mean = student_mean(values, of->runs.count);
    *share = runset_share(of, function, measure);
    struct growth_point point = {.size = input->sizes[side], .value = mean.mean};
    if (mean.mean > 0)
        point.variance = mean.variance / (mean.mean * mean.mean);
    /* The relative variance of a sampled count is (1 - share) / count. Never use a
       variance of 0, even if the share is 1. */
    if (sampled && sum > 0)
        point.variance = fmax(point.variance, fmax(1 - *share, 1 / (sum + 1)) / sum);
    if (runset_is_estimated(of) && sum > 0)
        point.variance =
            fmax(point.variance, variance_of_estimate(of, function, measure));
    return point;
}

static double lower_bound(const struct growth_fit *fit)
{
    return fit->exponent - fit->sampling;
}

/* Functions without an exponent come last. */
BUF_COMPARE(by_growth, struct growth_row,
            BUF_ORDER(isnan(a->fit.exponent), isnan(b->fit.exponent))
                    ?: BUF_ORDER(lower_bound(&b->fit), lower_bound(&a->fit))
                    ?: BUF_ORDER(a->row, b->row))

/* Adds a function if it has a value at any size. */
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

void growth_find(struct growth *growth, const struct growth_input *input)
{
    *growth = (struct growth){.input = *input};
    match_find(&growth->match, input->sides, input->count);
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
}

/* A row of the table. On a terminal it is a function. In data formats each point of
   a function has a row. */
struct line {
    const struct growth_row *grown;
    const struct growth_point *point;
    struct source_files *files;
    bool places; /* the row is not a function */
};

/* The context of the columns. */
struct context {
    const struct growth *growth;
    bool seconds;
    bool *alike;        /* by row of the match: the name is ambiguous */
    char **sizes;       /* headings of the columns of sizes */
    struct line *lines; /* rows of the table */
};

/* Returns the text of a number, or `-' if it is unknown. */
static char *known_text(double value)
{
    /* Show a small negative number as 0.00, not as -0.00. */
    return isnan(value) ? buf_copy("-")
                        : buf_format("%.2f", fabs(value) < 0.005 ? 0 : value);
}

/* Declares the variables that the expressions below use. */
#define OF_LINE                                                                          \
    const struct line *line = at;                                                        \
    const struct runset_function *function = line->grown->function;                      \
    const struct growth_fit *fit = &line->grown->fit;                                    \
    (void)function, (void)fit

#define VALUE(name, expression) TABLE_VALUE(name, OF_LINE, expression)

/* Defines the value and the cell of a number that may be unknown. */
#define KNOWN(name, number)                                                              \
    VALUE(name, table_number_if(true, number))                                           \
    TABLE_CELL(name, OF_LINE, known_text(number))

VALUE(name, table_text(function->shown))
VALUE(symbol, line->places ? table_null() : table_text(function->key))
VALUE(file, table_text(function->file))
VALUE(source_line, table_integer_if(function->line, function->line))
VALUE(place, table_text_freed(function->place ? text_plain(function->place) : NULL))
VALUE(text, table_text_freed(match_names_text(line->files, function)))
VALUE(size, table_number(line->point->size))
VALUE(value, table_number(line->point->value))
KNOWN(exponent, fit->exponent)
KNOWN(error, fit->error)
KNOWN(last, fit->last)

static const struct table_column columns[] = {
    TABLE_DATA("function", "the name, as the table has it", name),
    TABLE_DATA("symbol", "for the assembler", symbol),
    TABLE_DATA("file", "where the function is", file),
    TABLE_DATA("line", "where the function starts", source_line),
    TABLE_DATA("size", "of the input", size),
    TABLE_DATA("value", "of the mean run of that size", value),
    {"exponent", "k, where the function grows as n^k", exponent, "exponent",
     .cell = exponent_cell},
    {"exponent_error", "half of its interval of 95 %", error, "+-", .cell = error_cell},
    {"exponent_last",
     "between the two greatest sizes: if it is greater than exponent, the function grows "
     "faster than by a power",
     last, "last", .cell = last_cell},
    TABLE_DATA("place", "of a line or expression, with -by", place),
    TABLE_DATA("text", "of that line in the source, if it may be shown", text),
    {0}};

/* Maximum number of columns, with those of the sizes. */
#define COLUMNS_MOST 16

/* Returns the index of the first size with a column. If there are too many sizes, only
   the greatest have columns. */
static size_t first_shown(const struct context *about)
{
    /* The number of columns other than the columns of the sizes. */
    const size_t others = 4;
    size_t count = about->growth->input.count;
    return count + others > COLUMNS_MOST ? count + others - COLUMNS_MOST : 0;
}

static size_t size_count(const void *of)
{
    const struct context *about = of;
    return about->growth->input.count - first_shown(about);
}

static const char *size_head(const void *of, size_t nth)
{
    const struct context *about = of;
    return about->sizes[first_shown(about) + nth];
}

static char *size_cell(const void *of, const void *at, size_t nth)
{
    const struct context *about = of;
    const struct growth_row *grown = ((const struct line *)at)->grown;
    double value = grown->points[first_shown(about) + nth].value;
    bool whole = !(floor(value) < value);
    BUF_OWN char *number = text_commas(value, about->seconds ? 2 : whole ? 0 : 1);
    return buf_format("%s%s", number, about->seconds ? "s" : "");
}

static const char *noun(const void *of, unsigned which)
{
    (void)which;
    return runset_noun(((const struct context *)of)->growth->input.sides[0]);
}

static void put_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct context *about = of;
    const struct growth_input *input = &about->growth->input;
    size_t row = ((const struct line *)at)->grown->row;
    match_names_put(sheet, &about->growth->match, input->sides, row,
                    input->show_line || about->alike[row], input->files);
}

const struct table_view growth_table = {.name = "growth",
                                        .columns = columns,
                                        .series = {size_count, size_head, size_cell},
                                        .names = {.head_of = noun, .put = put_name}};

static void release(void *own)
{
    BUF_OWN struct context *of = own;
    for (size_t i = 0; i < of->growth->input.count; i++)
        free(of->sizes[i]);
    free(of->sizes);
    free(of->alike);
    free(of->lines);
}

/* Makes a table of LINES and takes ownership of LINES. */
static struct table make(const struct growth *growth, struct line *lines, size_t count)
{
    const struct growth_input *input = &growth->input;
    struct context *of = buf_alloc(sizeof *of);
    *of = (struct context){.growth = growth,
                           .seconds = input->measure.base->unit == MEASURE_NANOSECONDS,
                           .alike = match_names_alike(&growth->match, input->sides),
                           .sizes = buf_alloc(input->count * sizeof *of->sizes),
                           .lines = lines};
    for (size_t i = 0; i < input->count; i++)
        of->sizes[i] = buf_format("n=%g", input->sizes[i]);
    struct table table = {.view = &growth_table, .of = of, .own = of, .release = release};
    for (size_t i = 0; i < count; i++)
        table_add(&table, &lines[i]);
    return table;
}

struct table growth_table_make(const struct growth *growth)
{
    size_t sizes = growth->input.count, count = 0;
    bool places = !runset_is_of_functions(growth->input.sides[0]);
    struct line *lines = buf_alloc((growth->count * sizes + 1) * sizeof *lines);
    for (size_t i = 0; i < growth->count; i++)
        for (size_t k = 0; k < sizes; k++)
            lines[count++] = (struct line){&growth->rows[i], &growth->rows[i].points[k],
                                           growth->input.files, places};
    return make(growth, lines, count);
}

void growth_table_print(FILE *out, const struct growth *growth)
{
    const struct growth_input *input = &growth->input;
    struct line *lines = buf_alloc((growth->count + 1) * sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < growth->count; i++)
        if (100 * growth->rows[i].share >= input->thresh)
            lines[count++] = (struct line){&growth->rows[i], growth->rows[i].points,
                                           input->files, false};
    struct table table = make(growth, lines, count);
    BUF_OWN char *unit = runset_unit(input->sides[0], input->measure);
    fprintf(out, "%s grow with the input's size n as n^exponent\n\n", unit);
    table_cut(&table, input->top);
    table_print(out, &table, false);
    table_free(&table);
}
