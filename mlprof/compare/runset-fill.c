/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the rows, points, modules and functions of an evaluated run to a runset. Look
   here if a measure is missing in comparisons. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/runset.h"
#include "mlprof/profile/waitpoints.h"

static uint32_t put_function(struct runset *side, const struct rows_row *row)
{
    return runset_put(side, &row->source, row->shown);
}

struct runset_run *runset_add_run(struct runset *side, const struct report *report,
                                  size_t count)
{
    const struct profile *profile = report->profile;
    struct runset_run *run = &BUF_PUSH(side->runs);
    *run = (struct runset_run){
        .kind = profile->kind,
        .clock = profile->sampling.clock,
        .rate = profile->sampling.rate,
        .files = profile->runs.files,
        .samples = profile->sampling.samples,
        .weights = profile->sampling.weights,
        .main = profile_measure(profile),
        .estimated = profile_is_of_heap(profile) && profile->heap.sample,
        .seconds = 1e-9 * (double)(profile->sampling.clock == PROFILE_WALL
                                       ? profile->runs.wall
                                       : profile_nanoseconds(profile,
                                                             profile->sampling.samples)),
        .uncounted = profile->runs.uncounted,
        .count = count,
    };
    return run;
}

struct runset_column *runset_add_column(struct runset_run *run,
                                        struct runset_measure measure)
{
    struct runset_column *columns =
        buf_alloc((run->column_count + 1) * sizeof *run->columns);
    if (run->column_count)
        memcpy(columns, run->columns, run->column_count * sizeof *columns);
    free(run->columns);
    run->columns = columns;
    columns[run->column_count] = (struct runset_column){
        .measure = measure, .values = buf_alloc((run->count + 1) * sizeof(uint64_t))};
    return &columns[run->column_count++];
}

/* Returns the amount of a row that MEASURE has. */
static uint64_t amount_of(const struct rows_row *row, struct runset_measure measure)
{
    return measure.part == RUNSET_STACK
               ? rows_total(row)
               : rows_amount(row, measure.base, measure.part == RUNSET_BLOCKS);
}

/* Returns whether a run with PROFILE has MEASURE. */
static bool has_measure(const struct profile *profile, const struct measure *measure)
{
    const struct measure *main = profile_measure(profile);
    if (measure->weigh)
        return measure == main ||
               (main->weigh && profile->beside >> (measure - measure_of_event(0)) & 1);
    return profile_is_of_heap(profile) ? measure == main
                                       : (measure->kinds & profile->kind) != 0;
}

/* Adds a column with the values of ROWS. NUMBERS has the function of each row.
   Branches are skipped, because their functions include them. */
static void add_column(struct runset_run *run, struct runset_measure measure,
                       const struct rows *rows, const uint32_t *numbers)
{
    struct runset_column *column = runset_add_column(run, measure);
    for (size_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        if (row->branch)
            continue;
        uint64_t value = amount_of(row, measure);
        column->values[numbers[i]] += value;
        column->total += value;
    }
}

/* Adds a run with ROWS. PUT adds a row to the side and returns its number. */
static void add_rows(struct runset *side, const struct report *report,
                     const struct rows *rows,
                     uint32_t put(struct runset *side, const struct rows_row *row))
{
    const struct profile *profile = report->profile;
    BUF_OWN uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->rows[i].branch)
            numbers[i] = put(side, &rows->rows[i]);

    struct runset_run *run = runset_add_run(side, report, side->functions.count);
    for (const struct measure *m = measure_all; m->word; m++) {
        if (!has_measure(profile, m))
            continue;
        add_column(run, (struct runset_measure){m, RUNSET_OWN}, rows, numbers);
        if (m->sampled)
            run->columns[run->column_count - 1].total = profile->sampling.samples;
        if (m->memory)
            add_column(run, (struct runset_measure){m, RUNSET_BLOCKS}, rows, numbers);
    }
    if (report->rows.stack) {
        add_column(run, (struct runset_measure){run->main, RUNSET_STACK}, rows, numbers);
        run->columns[run->column_count - 1].total = report->rows.total;
    }
}

/* Adds the confidence intervals of the run that add_rows added, if ROWS are of the
   heap. */
static void add_ranges(struct runset *side, const struct rows *rows,
                       uint32_t put(struct runset *side, const struct rows_row *row))
{
    if (!rows->measured || !measure_is_of_heap(rows->measured->shown))
        return;
    BUF_OWN uint32_t *numbers = buf_alloc((rows->measured->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->measured->count; i++)
        numbers[i] = RUNSET_NONE;
    for (size_t i = 0; i < rows->whole; i++)
        if (!rows->rows[i].branch)
            numbers[rows->rows[i].number] = put(side, &rows->rows[i]);
    runset_add_ranges(side, rows->measured, numbers);
}

void runset_add(struct runset *side, const struct report *report)
{
    add_rows(side, report, &report->rows, put_function);
    add_ranges(side, &report->rows, put_function);
}

void runset_add_with_locks(struct runset *side, const struct report *report)
{
    const struct rows *rows = &report->grouped;
    BUF_OWN uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++) {
        BUF_OWN char *lock = runset_lock_name(rows->rows[i].shown);
        BUF_OWN char *name =
            text_begins(lock, "lock ") ? buf_copy(lock) : buf_format("lock %s", lock);
        numbers[i] = runset_put(side, &(struct identity_source){.name = name}, NULL);
    }
    runset_add(side, report);
    struct runset_run *run = &side->runs.list[side->runs.count - 1];
    for (size_t i = 0; i < rows->count; i++)
        for (size_t c = 0; c < run->column_count && *rows->rows[i].shown != '<'; c++)
            run->columns[c].values[numbers[i]] +=
                amount_of(&rows->rows[i], run->columns[c].measure);
}

void runset_add_points(struct runset *side, const struct report *report)
{
    const struct rows *rows = &report->rows;
    BUF_OWN uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->rows[i].branch)
            numbers[i] = put_function(side, &rows->rows[i]);
    linecounts_find(&side->points, report, numbers);
    if (!side->points.measured)
        return;
    const struct runset_measure executions = {measure_of_kinds(CCPROF_KIND_COUNT),
                                              RUNSET_LINES};
    struct runset_column *column = runset_add_column(&side->runs.list[0], executions);
    for (size_t i = 0; i < side->points.count; i++) {
        const struct linecounts_list *list = &side->points.lists[i];
        if (list->outcome || list->function >= side->runs.list[0].count)
            continue;
        column->values[list->function] = linecounts_sum(list);
        column->total += linecounts_sum(list);
    }
}

void runset_add_modules(struct runset *side, const struct report *report)
{
    const struct program *program = &report->program;
    /* By function: its module; 0 also if it is in several modules; NONE: unknown. */
    const uint32_t none = UINT32_MAX;
    BUF_OWN uint32_t *modules = buf_alloc((side->functions.count + 1) * sizeof *modules);
    uint32_t number;
    for (size_t i = 0; i < side->functions.count; i++)
        modules[i] = none;
    for (uint32_t m = 0; m < program->count; m++) {
        struct tables *tables = program->tables[m];
        for (uint32_t u = 0; tables && u < tables_unit_count(tables); u++) {
            const struct unit *unit = tables_unit(tables, u);
            for (size_t i = 0; i < unit->source_count; i++) {
                const struct identity_source key = identity_of(unit, &unit->sources[i]);
                if (identity_get(&side->identity, &key, &number))
                    modules[number] =
                        modules[number] == none || modules[number] == m ? m : 0;
            }
        }
    }
    for (size_t i = 0; i < side->functions.count; i++) {
        bool is_one = modules[i] != none && modules[i] != 0;
        const char *path = is_one ? report->profile->modules.list[modules[i]].path : "";
        if (*path_last(path))
            side->functions.list[i].module = text_clean(path_last(path));
    }
}

void runset_add_places(struct runset *side, const struct report *report,
                       const struct rows *rows)
{
    side->key = rows->key;
    add_rows(side, report, rows, runset_put_place);
    add_ranges(side, rows, runset_put_place);
}

/* Returns the confidence interval of TIME with VARIANCE (waitpoints.h). Its lower end may
   be negative: only differences have a meaning. */
static struct statistics_interval wait_interval(uint64_t time, double variance)
{
    double error = student_bound(INFINITY) * WAITPOINTS_TICK * sqrt(variance);
    return (struct statistics_interval){(double)time - error, (double)time + error};
}

/* Returns the confidence interval of entry NUMBER for a heap measure. */
static struct statistics_interval
interval_of(const struct measured *measured, size_t number, struct runset_measure measure)
{
    uint32_t entry = (uint32_t)number;
    bool blocks = measure.part == RUNSET_BLOCKS;
    struct statistics_interval interval = measured_interval(
        measured, entry, measure.base,
        measure.part == RUNSET_STACK ? MEASURED_TOTAL : MEASURED_SELF, blocks);
    if (blocks && !measured_whole(measured, entry, measure.base, MEASURED_SELF, true))
        interval.most = INFINITY;
    return interval;
}

void runset_add_ranges(struct runset *side, const struct measured *measured,
                       const uint32_t *numbers)
{
    struct runset_run *run = &side->runs.list[side->runs.count - 1];
    if (!run->estimated)
        return;
    /* Two entries follow the functions: the total, and an empty entry. */
    size_t count = run->count;
    struct measured *sums = measured_new(measured->shown, NULL, count + 2);
    sums->sample = measured->sample;
    for (uint32_t i = 0; i < measured->count; i++) {
        uint32_t number = numbers ? numbers[i] : i;
        if (number == RUNSET_NONE)
            continue;
        measured_add(sums, (uint32_t)count, measured, i);
        if (number < count)
            measured_add(sums, number, measured, i);
    }
    for (size_t c = 0; c < run->column_count; c++) {
        struct runset_column *column = &run->columns[c];
        struct runset_measure all = column->measure;
        /* A sample is on many stacks, but counts once in the total. */
        all.part = all.part == RUNSET_STACK ? RUNSET_OWN : all.part;
        column->intervals = buf_alloc((count + 1) * sizeof *column->intervals);
        for (size_t i = 0; i < count; i++)
            column->intervals[i] = interval_of(sums, i, column->measure);
        column->none = interval_of(sums, count + 1, column->measure);
        column->all = interval_of(sums, count, all);
    }
    measured_free(sums);
}

void runset_add_wait_ranges(struct runset *side, const struct rows *rows, bool places)
{
    struct runset_run *run = &side->runs.list[side->runs.count - 1];
    for (size_t c = 0; c < run->column_count; c++) {
        struct runset_column *column = &run->columns[c];
        column->intervals = buf_alloc((run->count + 1) * sizeof *column->intervals);
        BUF_OWN double *variances = buf_alloc((run->count + 1) * sizeof *variances);
        for (size_t i = 0; i < rows->count; i++) {
            const struct rows_row *row = &rows->rows[i];
            uint32_t number =
                places ? runset_put_place(side, row) : put_function(side, row);
            if (!row->branch && number < run->count)
                variances[number] += (double)amount_of(row, column->measure);
        }
        for (size_t i = 0; i < run->count; i++)
            column->intervals[i] = wait_interval(column->values[i], variances[i]);
        column->all = wait_interval(column->total, (double)rows->total);
    }
}

void runset_add_functions(struct runset *side, const struct rows *catalog)
{
    for (size_t i = 0; i < catalog->count; i++)
        put_function(side, &catalog->rows[i]);
}
