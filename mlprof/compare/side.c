/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/side.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/text.h"
#include "mlprof/view/allocs-table.h"
#include "mlprof/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *copy_or_null(const char *text)
{
    return text ? buf_copy(text) : NULL;
}

uint32_t side_put(struct side *side, const struct identity_source *source,
                  const char *shown)
{
    bool fresh, has_symbol = source->symbol && *source->symbol;
    uint32_t number = identity_put(&side->identity, source, &fresh);
    if (!fresh)
        return number;
    side->functions = buf_grow(side->functions, &side->function_capacity,
                               side->function_count + 1, sizeof *side->functions);
    side->functions[side->function_count++] = (struct side_function){
        .key = buf_copy(has_symbol ? source->symbol : source->name),
        .file = copy_or_null(source->file),
        .directory = copy_or_null(source->directory),
        .path = identity_last_path(&side->identity, source),
        .shown = buf_copy(shown ? shown : source->name),
        .line = source->line,
        .column = source->column,
    };
    return number;
}

static uint32_t put_function(struct side *side, const struct rows_row *row)
{
    return side_put(side, &row->source, row->shown);
}

uint32_t side_put_place(struct side *side, const struct rows_row *row)
{
    char *place = row->place ? text_plain(row->place) : NULL;
    const struct identity_source source = {.name = place        ? place
                                                   : row->shown ? row->shown
                                                                : row->source.name,
                                           .file = row->source.file,
                                           .directory = row->source.directory};
    uint32_t number = side_put(side, &source, row->shown);
    struct side_function *function = &side->functions[number];
    if (side->key == ROWS_FILES && !function->path && *function->key != '<') {
        function->path = intern_keep(&side->identity.texts, function->key);
        function->key = buf_copy(path_last(function->path));
    }
    if (place && !function->place) {
        function->place = buf_copy(row->place);
        function->within = copy_or_null(row->source.name);
        function->start = row->start;
        function->range = row->range;
        function->line = row->source.line;
        function->column = row->source.column;
    }
    free(place);
    return number;
}

struct side_run *side_add_run(struct side *side, const struct evaluate_result *result,
                              size_t count)
{
    const struct profile *profile = result->profile;
    side->runs = buf_grow(side->runs, &side->run_capacity, side->run_count + 1,
                          sizeof *side->runs);
    side->runs[side->run_count] = (struct side_run){
        .kind = profile->kind,
        .clock = profile->clock,
        .rate = profile->rate,
        .files = profile->files,
        .samples = profile->samples,
        .main = profile_measure(profile),
        .estimated = profile->heap.shown && profile->heap.sample,
        .seconds = 1e-9 * (double)(profile->clock == PROFILE_WALL ? profile->wall
                                                                  : profile->cpu),
        .uncounted = profile->uncounted,
        .count = count,
    };
    return &side->runs[side->run_count++];
}

struct side_column *side_add_column(struct side_run *run, struct side_measure measure)
{
    struct side_column *columns =
        buf_alloc((run->column_count + 1) * sizeof *run->columns);
    if (run->column_count)
        memcpy(columns, run->columns, run->column_count * sizeof *columns);
    free(run->columns);
    run->columns = columns;
    columns[run->column_count] = (struct side_column){
        .measure = measure, .values = buf_alloc((run->count + 1) * sizeof(uint64_t))};
    return &columns[run->column_count++];
}

/* Adds a column of what ROWS have, with the NUMBERS of their functions; branches are
   their functions'.  */
static void add_column(struct side_run *run, struct side_measure measure,
                       const struct rows *rows, const uint32_t *numbers)
{
    struct side_column *column = side_add_column(run, measure);
    for (size_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        uint64_t value = row->branch ? 0
                         : measure.part == SIDE_STACK
                             ? row->stack
                             : rows_amount(row, measure.of, measure.part == SIDE_BLOCKS);
        if (row->branch)
            continue;
        column->values[numbers[i]] += value;
        column->total += value;
    }
}

/* Adds a run with ROWS, each of which PUT adds to the side.  */
static void add_rows(struct side *side, const struct evaluate_result *result,
                     const struct rows *rows,
                     uint32_t put(struct side *side, const struct rows_row *row))
{
    const struct profile *profile = result->profile;
    uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->rows[i].branch)
            numbers[i] = put(side, &rows->rows[i]);

    struct side_run *run = side_add_run(side, result, side->function_count);
    for (const struct measure *m = measure_all; m->word; m++) {
        if (profile->heap.shown ? m != run->main : !(m->kinds & profile->kind))
            continue;
        add_column(run, (struct side_measure){m, SIDE_OWN}, rows, numbers);
        if (m->sampled)
            run->columns[run->column_count - 1].total = profile->samples;
        if (m->memory)
            add_column(run, (struct side_measure){m, SIDE_BLOCKS}, rows, numbers);
    }
    if (result->rows.stack) {
        add_column(run, (struct side_measure){run->main, SIDE_STACK}, rows, numbers);
        run->columns[run->column_count - 1].total = result->rows.total;
    }
    free(numbers);
}

/* Adds the ranges of that run, of ROWS of the heap.  */
static void add_ranges(struct side *side, const struct rows *rows,
                       uint32_t put(struct side *side, const struct rows_row *row))
{
    if (!rows->amounts.count)
        return;
    uint32_t *numbers = buf_alloc((rows->whole + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->whole; i++)
        numbers[i] = put(side, &rows->rows[i]);
    side_add_ranges(side, &(struct side_estimates){&rows->amounts, numbers});
    free(numbers);
}

void side_add(struct side *side, const struct evaluate_result *result)
{
    add_rows(side, result, &result->rows, put_function);
    add_ranges(side, &result->rows, put_function);
}

void side_add_points(struct side *side, const struct evaluate_result *result)
{
    const struct rows *rows = &result->rows;
    uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->rows[i].branch)
            numbers[i] = put_function(side, &rows->rows[i]);
    points_find(&side->points, result, numbers);
    free(numbers);
}

void side_add_modules(struct side *side, const struct evaluate_result *result)
{
    const struct program *program = &result->program;
    /* By function: the module; 0 also if there are several; NONE: not known.  */
    const uint32_t none = UINT32_MAX;
    uint32_t *modules = buf_alloc((side->function_count + 1) * sizeof *modules), number;
    for (size_t i = 0; i < side->function_count; i++)
        modules[i] = none;
    for (uint32_t m = 0; m < program->count; m++) {
        struct tables *tables = program->tables[m];
        for (uint32_t u = 0; tables && u < tables_unit_count(tables); u++) {
            const struct unit *unit = tables_unit(tables, u);
            for (size_t i = 0; i < unit->source_count; i++) {
                const struct identity_source of = identity_of(unit, &unit->sources[i]);
                if (identity_get(&side->identity, &of, &number))
                    modules[number] =
                        modules[number] == none || modules[number] == m ? m : 0;
            }
        }
    }
    for (size_t i = 0; i < side->function_count; i++) {
        bool is_one = modules[i] != none && modules[i] != 0;
        const char *path = is_one ? result->profile->modules[modules[i]].path : "";
        if (*path_last(path))
            side->functions[i].module = text_clean(path_last(path));
    }
    free(modules);
}

void side_add_places(struct side *side, const struct evaluate_result *result,
                     const struct rows *rows)
{
    side->key = rows->key;
    add_rows(side, result, rows, side_put_place);
    add_ranges(side, rows, side_put_place);
}

/* The interval of what entry NUMBER of AMOUNTS has of a measure of the heap.  */
static struct statistics_interval interval_of(const struct amounts *amounts,
                                              size_t number, struct side_measure measure)
{
    enum heapdata_measure heap = measure.of->heap;
    struct statistics_interval interval = amounts_interval(
        amounts, number, heap, measure.part == SIDE_STACK, measure.part != SIDE_BLOCKS);
    if (measure.part == SIDE_BLOCKS && amounts->rows[number].own[heap].blocks == 0)
        interval.most = INFINITY;
    return interval;
}

void side_add_ranges(struct side *side, const struct side_estimates *parts)
{
    struct side_run *run = &side->runs[side->run_count - 1];
    if (!run->estimated)
        return;
    /* Behind the functions all together, and one that has nothing.  */
    size_t count = run->count;
    struct amounts sums = amounts_like(parts->amounts, count + 2);
    for (size_t i = 0; i < parts->amounts->count; i++) {
        amounts_add(&sums, count, parts->amounts, i);
        if (parts->numbers[i] < count)
            amounts_add(&sums, parts->numbers[i], parts->amounts, i);
    }
    for (size_t c = 0; c < run->column_count; c++) {
        struct side_column *column = &run->columns[c];
        struct side_measure all = column->measure;
        /* Each sample is on many stacks, and in all of them once.  */
        all.part = all.part == SIDE_STACK ? SIDE_OWN : all.part;
        column->intervals = buf_alloc((count + 1) * sizeof *column->intervals);
        for (size_t i = 0; i < count; i++)
            column->intervals[i] = interval_of(&sums, i, column->measure);
        column->none = interval_of(&sums, count + 1, column->measure);
        column->all = interval_of(&sums, count, all);
    }
    amounts_free(&sums);
}

int side_by_line(const struct side_function *one, const struct side_function *other)
{
    if (one->line != other->line)
        return one->line < other->line ? -1 : 1;
    if (one->column != other->column)
        return one->column < other->column ? -1 : 1;
    return strcmp(one->directory ? one->directory : "",
                  other->directory ? other->directory : "");
}

void side_add_functions(struct side *side, const struct rows *catalog)
{
    for (size_t i = 0; i < catalog->count; i++)
        put_function(side, &catalog->rows[i]);
}

double side_sampled_seconds(const struct side_run *run)
{
    return run->rate ? (double)run->samples / (double)run->rate : 0;
}

const struct side_column *side_column(const struct side_run *run,
                                      struct side_measure measure)
{
    for (size_t i = 0; i < run->column_count; i++)
        if (side_is_same(run->columns[i].measure, measure))
            return &run->columns[i];
    return NULL;
}

uint64_t side_total(const struct side_run *run, struct side_measure measure)
{
    const struct side_column *column = side_column(run, measure);
    return column ? column->total : 0;
}

uint64_t side_value(const struct side_run *run, uint32_t function,
                    struct side_measure measure)
{
    const struct side_column *column =
        function < run->count ? side_column(run, measure) : NULL;
    return column ? column->values[function] : 0;
}

bool side_has(const struct side *side, struct side_measure measure)
{
    for (size_t i = 0; i < side->run_count; i++)
        if (!side_column(&side->runs[i], measure))
            return false;
    return side->run_count > 0;
}

double side_mean(const struct side *side, uint32_t function, struct side_measure measure)
{
    double sum = 0;
    for (size_t i = 0; i < side->run_count; i++)
        sum += (double)side_value(&side->runs[i], function, measure);
    return sum / (double)side->run_count;
}

bool side_is_estimated(const struct side *side)
{
    for (size_t i = 0; i < side->run_count; i++)
        if (side->runs[i].estimated)
            return true;
    return false;
}

/* Adds a value of a run to a mean, whose interval has the squares of the distances of its
   ends until it is divided.  */
static void add_estimate(struct statistics_estimated *mean, uint64_t count,
                         const struct side_column *column,
                         const struct statistics_interval *interval)
{
    double value = (double)count;
    mean->value += value;
    if (!column || !column->intervals)
        return;
    mean->interval.least += (value - interval->least) * (value - interval->least);
    mean->interval.most += (interval->most - value) * (interval->most - value);
}

static void divide(struct statistics_estimated *mean, const struct side *side)
{
    double count = (double)side->run_count;
    mean->value /= count;
    mean->interval.least = mean->value - sqrt(mean->interval.least) / count;
    mean->interval.most = mean->value + sqrt(mean->interval.most) / count;
}

struct statistics_estimated side_estimate(const struct side *side, uint32_t function,
                                          struct side_measure measure)
{
    struct statistics_estimated mean = {0};
    for (size_t i = 0; i < side->run_count; i++) {
        const struct side_run *run = &side->runs[i];
        const struct side_column *column = side_column(run, measure);
        bool seen = column && column->intervals && function < run->count;
        add_estimate(&mean, side_value(run, function, measure), column,
                     seen ? &column->intervals[function] : &column->none);
    }
    divide(&mean, side);
    return mean;
}

struct statistics_interval side_bounds(const struct side *side, uint32_t function,
                                       struct side_measure measure)
{
    struct statistics_interval bounds = {0};
    for (size_t i = 0; i < side->run_count; i++) {
        const struct side_run *run = &side->runs[i];
        double value = (double)side_value(run, function, measure);
        struct statistics_interval of = {value, value};
        if (run->bounded && function < run->count)
            of = side_column(run, measure)->intervals[function];
        bounds.least += of.least / (double)side->run_count;
        bounds.most += of.most / (double)side->run_count;
    }
    return bounds;
}

struct statistics_estimated side_estimate_all(const struct side *side,
                                              struct side_measure measure)
{
    struct statistics_estimated mean = {0};
    for (size_t i = 0; i < side->run_count; i++) {
        const struct side_column *column = side_column(&side->runs[i], measure);
        add_estimate(&mean, column->total, column, &column->all);
    }
    divide(&mean, side);
    return mean;
}

bool side_is_of_functions(const struct side *side)
{
    return side->key == ROWS_FUNCTIONS && !side->allocs;
}

bool side_has_all(const struct side *side)
{
    return side_is_of_functions(side) || side->allocs;
}

bool side_is_of_calls(const struct side *side)
{
    return side->allocs && side->allocs != ALLOCVIEW_TYPE;
}

const char *side_measure_name(struct side_measure measure)
{
    return measure.part == SIDE_STACK    ? "stack"
           : measure.part == SIDE_BLOCKS ? "blocks"
           : measure.of->memory          ? measure.of->heading
                                         : measure.of->word;
}

const char *side_noun(const struct side *side)
{
    return side->allocs ? allocs_table_noun(side->allocs) : view_key_noun(side->key);
}

char *side_unit(const struct side *side, struct side_measure measure)
{
    bool places = side->key == ROWS_LINES || side->key == ROWS_EXPRESSIONS;
    if (measure.part == SIDE_STACK)
        return buf_format("%s on the stack", measure.of->heading);
    return buf_copy(measure.part == SIDE_BLOCKS ? "blocks"
                    : measure.of->kinds & CCPROF_KIND_COUNT && places
                        ? "executions"
                        : measure.of->heading);
}

void side_free(struct side *side)
{
    for (size_t i = 0; i < side->function_count; i++) {
        struct side_allocation *allocation = side->functions[i].allocation;
        if (allocation) {
            free(allocation->position);
            free(allocation->type);
            free(allocation->allocator);
            free(allocation->within);
            free(allocation);
        }
        free(side->functions[i].key);
        free(side->functions[i].file);
        free(side->functions[i].directory);
        free(side->functions[i].place);
        free(side->functions[i].module);
        free(side->functions[i].within);
        free(side->functions[i].shown);
    }
    for (size_t i = 0; i < side->run_count; i++) {
        for (size_t c = 0; c < side->runs[i].column_count; c++) {
            free(side->runs[i].columns[c].values);
            free(side->runs[i].columns[c].intervals);
        }
        free(side->runs[i].columns);
    }
    free(side->functions);
    free(side->runs);
    identity_free(&side->identity);
    points_free(&side->points);
    memset(side, 0, sizeof *side);
}
