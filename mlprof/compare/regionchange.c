/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the times of each run, tests the mean times of the regions on both sides, and
   prints the table. */

#include "mlprof/compare/regionchange.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/columns/sheet.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/change.h"
#include "mlprof/compare/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The values of a region on one side. */
struct on_side {
    double
        *means; /* for each run in which the region was called: the mean of its calls */
    size_t count;
    double calls, p50, p99; /* calls: mean of all runs; p50, p99: of the runs in MEANS */
    struct student_mean calls_alone; /* mean of the runs; variance from single calls */
};

static void add_run(struct on_side *on, const struct regionside_value *value)
{
    double calls = (double)value->calls;
    on->means[on->count++] = value->mean;
    on->p50 += value->p50;
    on->p99 += value->p99;
    on->calls += calls;
    if (calls < 2)
        return;
    double variance = value->deviation * value->deviation / calls;
    on->calls_alone.variance += variance;
    /* Until finish() runs, FREEDOM holds the divisor of Satterthwaite's formula. */
    on->calls_alone.freedom += variance * variance / (calls - 1);
}

static void finish(struct on_side *on, size_t runs)
{
    double count = (double)on->count, sum = on->calls_alone.variance;
    if (on->count == 0)
        return;
    for (size_t i = 0; i < on->count; i++)
        on->calls_alone.mean += on->means[i] / count;
    on->calls_alone.freedom = sum > 0 ? sum * sum / on->calls_alone.freedom : 0;
    on->calls_alone.variance = sum / (count * count);
    on->p50 /= count;
    on->p99 /= count;
    on->calls /= (double)runs;
}

static struct on_side region_on(const struct regionside *side, uint32_t region)
{
    struct on_side on = {.means = buf_alloc((side->runs.count + 1) * sizeof *on.means)};
    for (size_t i = 0; i < side->runs.count; i++) {
        const struct regionside_run *run = &side->runs.list[i];
        if (region < run->count && run->values[region].calls)
            add_run(&on, &run->values[region]);
    }
    finish(&on, side->runs.count);
    return on;
}

static double change_of(const struct regionchange *change)
{
    return change->mean[1] - change->mean[0];
}

static void widen(struct regionchange *change, double variance, double freedom)
{
    change->verdict.tested |=
        verdict_widen(&change->verdict, change_of(change), variance, freedom);
}

/* Widens the confidence interval by the differences between runs. */
static void test_runs(struct regionchange *change, const struct on_side on[2])
{
    const struct student_mean means[] = {student_mean(on[0].means, on[0].count),
                                         student_mean(on[1].means, on[1].count)};
    struct variation_estimate found =
        variation_of_means(means, (const size_t[]){on[0].count, on[1].count});
    widen(change, found.variance, found.freedom);
}

static struct regionchange compare(const struct regionside *const sides[2],
                                   const struct match *match, size_t row)
{
    struct regionchange change = {0};
    struct on_side on[2];
    for (size_t s = 0; s < 2; s++) {
        change.regions[s] = match->functions[2 * row + s];
        on[s] = region_on(sides[s], change.regions[s]);
        change.calls[s] = on[s].calls;
        change.mean[s] = on[s].calls_alone.mean;
        change.p50[s] = on[s].p50;
        change.p99[s] = on[s].p99;
    }
    change.verdict.interval.least = change.verdict.interval.most = change_of(&change);
    if (on[0].calls_alone.freedom > 0 && on[1].calls_alone.freedom > 0)
        widen(&change, on[0].calls_alone.variance + on[1].calls_alone.variance,
              student_freedom(&on[0].calls_alone, &on[1].calls_alone));
    if (on[0].count && on[1].count)
        test_runs(&change, on);
    free(on[0].means);
    free(on[1].means);
    return change;
}

BUF_COMPARE(by_size, struct regionchange,
            verdict_order(&a->verdict, change_of(a), &b->verdict, change_of(b))
                ?: strcmp(a->name, b->name))

BUF_COMPARE(by_change, struct regionchange,
            BUF_ORDER(change_of(b), change_of(a)) ?: strcmp(a->name, b->name))

BUF_COMPARE(by_name, struct regionchange, strcmp(a->name, b->name))

static char *name_of(const struct runset_function *function, bool with_place)
{
    return with_place && function->line
               ? buf_format("%s  %s: %u", function->shown, function->file,
                            (unsigned)function->line)
               : buf_copy(function->shown);
}

void regionchanges_find(struct regionchanges *changes,
                        const struct regionside *const sides[2])
{
    const struct runset *const regions[2] = {&sides[0]->regions, &sides[1]->regions};
    struct match match;
    match_find(&match, regions, 2);
    BUF_OWN bool *alike = match_names_alike(&match, regions);
    *changes =
        (struct regionchanges){.runs = {sides[0]->runs.count, sides[1]->runs.count},
                               .tick = fmax(sides[0]->tick, sides[1]->tick)};
    changes->changes = buf_alloc((match.count + 1) * sizeof *changes->changes);
    for (size_t row = 0; row < match.count; row++) {
        struct regionchange change = compare(sides, &match, row);
        change.name = name_of(match_function(&match, regions, row), alike[row]);
        changes->changes[changes->count++] = change;
    }
    match_free(&match);
    struct verdict_counts counts = verdict_decide(
        &changes->changes->verdict, changes->count, sizeof *changes->changes);
    changes->tested = counts.tested;
    changes->certain = counts.certain;
    BUF_SORT(changes->changes, changes->count, by_size);
}

void regionchanges_sort(struct regionchanges *changes, enum view_order order)
{
    if (order == VIEW_NAME || order == VIEW_CHANGE)
        BUF_SORT(changes->changes, changes->count,
                 order == VIEW_NAME ? by_name : by_change);
}

void regionchanges_free(struct regionchanges *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        free(changes->changes[i].name);
    free(changes->changes);
    memset(changes, 0, sizeof *changes);
}

static const char *colon_of(const struct regionrows_row *row)
{
    return row->position ? strrchr(row->position, ':') : NULL;
}

static uint32_t line_of(const struct regionrows_row *row)
{
    const char *colon = colon_of(row);
    return colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
}

/* Returns the files of the functions in a row, the outermost first; NULL if none is
   known. The caller frees the text. */
static char *files_of(const struct regionrows *rows, const struct regionrows_row *row)
{
    const char *colon = colon_of(row);
    char *own =
        colon ? buf_format("%.*s", (int)(colon - row->position), row->position) : NULL;
    char *outer =
        row->parent == REGIONROWS_NONE ? NULL : files_of(rows, &rows->rows[row->parent]);
    if (!outer)
        return own;
    char *files = buf_format("%s" REGIONROWS_INSIDE "%s", outer, own ? own : "");
    free(outer);
    free(own);
    return files;
}

/* Returns a hash of the lines of the functions around a row's function. The hash is 0
   if there are no functions around it; then overloads are sorted by their own line. */
static uint32_t outer_lines(const struct regionrows *rows,
                            const struct regionrows_row *row)
{
    if (row->parent == REGIONROWS_NONE)
        return 0;
    const struct regionrows_row *outer = &rows->rows[row->parent];
    return outer_lines(rows, outer) * 65599 + line_of(outer);
}

/* Returns the number of a row's region. Regions are identified by name and, if they
   are functions, by files and lines. */
static uint32_t put(struct regionside *side, const struct regionrows *rows,
                    const struct regionrows_row *row)
{
    BUF_OWN char *files = files_of(rows, row);
    const struct identity_source source = {.name = row->name,
                                           .file = files,
                                           .line = line_of(row),
                                           .column = outer_lines(rows, row)};
    return runset_put(&side->regions, &source, row->name);
}

void regionside_add(struct regionside *side, struct report *report)
{
    static const struct regionrows none;
    const struct regionrows *rows = report_regions(report, side->key);
    rows = rows ? rows : &none;
    struct regionside_run run = {0};
    BUF_OWN uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        numbers[i] = put(side, rows, &rows->rows[i]);
    run.count = side->regions.functions.count;
    run.values = buf_alloc((run.count + 1) * sizeof *run.values);
    for (size_t i = 0; i < rows->count; i++) {
        const struct regiontimes *times = &rows->rows[i].times;
        run.values[numbers[i]] =
            (struct regionside_value){.calls = rows->rows[i].sums.count,
                                      .mean = times->mean,
                                      .deviation = times->deviation,
                                      .p50 = times->p50.value,
                                      .p99 = times->p99.value};
    }
    BUF_PUSH(side->runs) = run;
    side->measured += rows->count > 0;
    side->tick = fmax(side->tick, rows->cost.tick);
}

const struct regionrows_row **regionside_rows(struct regionside *side,
                                              const struct regionrows *rows)
{
    BUF_OWN uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        numbers[i] = put(side, rows, &rows->rows[i]);
    const struct regionrows_row **of =
        buf_alloc((side->regions.functions.count + 1) * sizeof *of);
    for (size_t i = 0; i < rows->count; i++)
        of[numbers[i]] = &rows->rows[i];
    return of;
}

void regionside_free(struct regionside *side)
{
    for (size_t i = 0; i < side->runs.count; i++)
        free(side->runs.list[i].values);
    free(side->runs.list);
    runset_free(&side->regions);
    memset(side, 0, sizeof *side);
}

/* Returns the text of a change. A change of less than a clock tick has no sign. The
   caller frees the text. */
static char *signed_text(double nanoseconds, double tick)
{
    BUF_OWN char *time = regiontimes_text(fabs(nanoseconds), tick);
    const char *sign = fabs(nanoseconds) < tick ? "" : nanoseconds < 0 ? "-" : "+";
    return buf_format("%s%s", sign, time);
}

static char *side_text(const struct regionchange *change, size_t side, double tick)
{
    return change->calls[side] > 0 ? regiontimes_text(change->mean[side], tick)
                                   : buf_copy("-");
}

static char *change_text(const struct regionchange *change, double tick)
{
    if (!(change->calls[0] > 0) || !(change->calls[1] > 0))
        return buf_copy(change->calls[1] > 0 ? "new" : "gone");
    return signed_text(change->mean[1] - change->mean[0], tick);
}

/* Returns the text of a change in percent, or `-' if a time is less than a clock tick
   and therefore unknown. The caller frees the text. */
static char *percent_text(const struct regionchange *change, double tick)
{
    if (!(change->mean[0] >= tick) || !(change->mean[1] >= tick))
        return buf_copy("-");
    return buf_format("%+.1f%%", 100 * (change->mean[1] / change->mean[0] - 1));
}

static char *range_text(const struct regionchange *change, double tick)
{
    if (!change->verdict.tested)
        return buf_copy("-");
    BUF_OWN char *least = signed_text(change->verdict.interval.least, tick);
    BUF_OWN char *most = signed_text(change->verdict.interval.most, tick);
    return buf_format("%s to %s", least, most);
}

static void print_heading(FILE *out, const struct regionchanges *changes)
{
    static const char *const words[] = {"before", "after "};
    for (size_t s = 0; s < 2; s++) {
        BUF_OWN char *program = text_clean(changes->programs[s]);
        BUF_OWN char *runs = text_number(changes->runs[s], "run");
        fprintf(out, "%s  %s, %s\n", words[s], program, runs);
    }
    putc('\n', out);
}

/* Declares the variables that the expressions below use. */
#define OF_CHANGE                                                                        \
    const struct regionchanges *changes = of;                                            \
    const struct regionchange *change = at;                                              \
    bool before = change->calls[0] > 0, after = change->calls[1] > 0;                    \
    (void)changes, (void)before, (void)after

#define VALUE(name, expression) TABLE_VALUE(name, OF_CHANGE, expression)

#define CELL(name, expression) TABLE_CELL(name, OF_CHANGE, expression)

VALUE(region, table_text(change->name))
VALUE(mean_before, table_number_if(before, change->mean[0]))
CELL(before, side_text(change, 0, changes->tick))
VALUE(mean_after, table_number_if(after, change->mean[1]))
CELL(after, side_text(change, 1, changes->tick))
VALUE(difference, table_number_if(before &&after, change->mean[1] - change->mean[0]))
CELL(change, change_text(change, changes->tick))
VALUE(percent, table_number_if(before &&after && change->mean[0] >= changes->tick,
                               change->mean[1] / change->mean[0] - 1))
CELL(percent, percent_text(change, changes->tick))
VALUE(least, table_number_if(change->verdict.tested, change->verdict.interval.least))
CELL(range, range_text(change, changes->tick))
VALUE(most, table_number_if(change->verdict.tested, change->verdict.interval.most))
VALUE(chance, table_number_if(change->verdict.tested, change->verdict.chance))
CELL(chance, verdict_text(&change->verdict))
VALUE(certain, table_bool(change->verdict.certain))
VALUE(calls_before, table_number(change->calls[0]))
VALUE(calls_after, table_number(change->calls[1]))
VALUE(p50_before, table_number_if(before, change->p50[0]))
VALUE(p50_after, table_number_if(after, change->p50[1]))
VALUE(p99_before, table_number_if(before, change->p99[0]))
VALUE(p99_after, table_number_if(after, change->p99[1]))

static const struct table_column columns[] = {
    TABLE_DATA("region", "its name", region),
    {"before", "mean time of a call before", mean_before, "before", .cell = before_cell,
     .drop_rank = 1},
    {"after", "mean time of a call after", mean_after, "after", .cell = after_cell,
     .drop_rank = 1},
    {"change", "after less before; grey: may be chance", difference, "change",
     .cell = change_cell},
    {NULL, "the change in percent of before", percent, "in %", .cell = percent_cell},
    {"change_least",
     "where the change of all such runs lies, 19 times of 20, of this row alone", least,
     "row's 95%", .cell = range_cell},
    TABLE_DATA("change_most", "see change_least", most),
    {"chance", "the probability that chance alone makes such a change, of this row alone",
     chance, "by chance ", .cell = chance_cell},
    TABLE_DATA("certain",
               "of all rows together: of 100 comparisons 95 have only true ones",
               certain),
    TABLE_DATA("calls_before", "of a run, on average", calls_before),
    TABLE_DATA("calls_after", "of a run, on average", calls_after),
    TABLE_DATA("p50_before", "the median of a call before", p50_before),
    TABLE_DATA("p50_after", "the median of a call after", p50_after),
    TABLE_DATA("p99_before", "of 100 calls before 99 take no longer", p99_before),
    TABLE_DATA("p99_after", "of 100 calls after 99 take no longer", p99_after),
    {0}};

static void put_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct regionchange *change = at;
    (void)of;
    sheet_put(sheet, buf_copy(change->name));
}

const struct table_view regionchanges_columns = {
    .name = "regions", .columns = columns, .names = {"region", put_name}};

struct table regionchanges_table(const struct regionchanges *changes)
{
    struct table table = {.view = &regionchanges_columns, .of = changes};
    for (size_t i = 0; i < changes->count; i++)
        table_add(&table, &changes->changes[i]);
    return table;
}

void regionchanges_print(FILE *out, const struct regionchanges *changes, size_t top)
{
    struct table table = regionchanges_table(changes);
    table_cut(&table, top);
    print_heading(out, changes);
    table_print(out, &table, false);
    table_free(&table);
    BUF_OWN char *certainty = change_text_certainty(
        "region", changes->certain, changes->tested, changes->runs[0] + changes->runs[1]);
    fprintf(out, "\nmean time of a call\n%s", certainty);
}
