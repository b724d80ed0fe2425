/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/side.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/text.h"
#include "mlprof/view/allocview.h"
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

/* The values of a row, for a function with its branches.  CUR is time only if samples
   were measured.  */
static struct side_values values_of(const struct rows_row *row,
                                    const struct measure *measure)
{
    struct side_values values = {
        .of = {[SIDE_STACK] = row->stack,
               [SIDE_CALLS] = row->calls,
               [SIDE_BYTES] = row->bytes + row->branched.bytes,
               [SIDE_BLOCKS] = row->blocks + row->branched.blocks}};
    if (measure->sampled)
        values.of[SIDE_TIME] = rows_whole(row);
    return values;
}

/* A run without the values of its functions.  */
static struct side_run run_of(const struct evaluate_result *result)
{
    const struct profile *profile = result->profile;
    return (struct side_run){
        .kind = profile->kind,
        .clock = profile->clock,
        .rate = profile->rate,
        .files = profile->files,
        .samples = profile->samples,
        .heap = profile->heap.shown,
        .heap_measure = profile->heap.measure,
        .estimated = profile->heap.shown && profile->heap.sample,
        .seconds = 1e-9 * (double)(profile->clock == PROFILE_WALL ? profile->wall
                                                                  : profile->cpu),
        .uncounted = profile->uncounted,
        .stack = result->rows.stack,
    };
}

static void add_run(struct side *side, const struct evaluate_result *result,
                    struct side_run run)
{
    if (profile_measure(result->profile)->sampled)
        run.totals[SIDE_TIME] = result->profile->samples;
    run.totals[SIDE_STACK] = result->rows.total;
    side->runs = buf_grow(side->runs, &side->run_capacity, side->run_count + 1,
                          sizeof *side->runs);
    side->runs[side->run_count++] = run;
}

/* Adds a run with ROWS, each of which PUT adds to the side.  */
static void add_rows(struct side *side, const struct evaluate_result *result,
                     const struct rows *rows,
                     uint32_t put(struct side *side, const struct rows_row *row))
{
    const struct measure *measure = profile_measure(result->profile);
    struct side_run run = run_of(result);
    uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->rows[i].branch)
            numbers[i] = put(side, &rows->rows[i]);

    run.count = side->function_count;
    run.values = buf_alloc((run.count + 1) * sizeof *run.values);
    for (size_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        if (row->branch)
            continue;
        struct side_values values = values_of(row, measure);
        for (size_t m = 0; m < SIDE_MEASURES; m++) {
            run.values[numbers[i]].of[m] += values.of[m];
            run.totals[m] += values.of[m];
        }
    }
    free(numbers);
    add_run(side, result, run);
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

void side_add_values(struct side *side, const struct evaluate_result *result,
                     struct side_values *values, size_t count)
{
    struct side_run run = run_of(result);
    run.values = values;
    run.count = count;
    add_run(side, result, run);
}

void side_add_ranges(struct side *side, const struct side_estimates *parts)
{
    struct side_run *run = &side->runs[side->run_count - 1];
    if (run->estimated)
        side_ranges_find(&run->ranges, run->count, run->heap_measure, parts);
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

uint64_t side_value(const struct side_run *run, uint32_t function,
                    enum side_measure measure)
{
    return function < run->count ? run->values[function].of[measure] : 0;
}

static bool run_has(const struct side_run *run, enum side_measure measure)
{
    switch (measure) {
    case SIDE_TIME:
        return run->kind & CCPROF_KIND_TIME;
    case SIDE_STACK:
        return run->stack;
    case SIDE_CALLS:
        return run->kind & CCPROF_KIND_COUNT;
    default:
        return run->kind & CCPROF_KIND_ALLOC;
    }
}

bool side_has(const struct side *side, enum side_measure measure)
{
    for (size_t i = 0; i < side->run_count; i++)
        if (!run_has(&side->runs[i], measure))
            return false;
    return side->run_count > 0;
}

bool side_is_sampled(const struct side *side, enum side_measure measure)
{
    return measure == SIDE_TIME || (measure == SIDE_STACK && side->run_count &&
                                    side->runs[0].kind & CCPROF_KIND_TIME);
}

double side_mean(const struct side *side, uint32_t function, enum side_measure measure)
{
    double sum = 0;
    for (size_t i = 0; i < side->run_count; i++)
        sum += (double)side_value(&side->runs[i], function, measure);
    return sum / (double)side->run_count;
}

bool side_is_estimated(const struct side *side)
{
    for (size_t i = 0; i < side->run_count; i++)
        if (side->runs[i].ranges.by_function && !side->runs[i].bounded)
            return true;
    return false;
}

static const struct statistics_interval *interval_of(const struct side_range *range,
                                                     enum side_measure measure)
{
    return measure == SIDE_BLOCKS  ? &range->blocks
           : measure == SIDE_BYTES ? &range->bytes
                                   : &range->stack;
}

/* Adds a value of a run to a mean, whose interval has the squares of the distances of its
   ends until it is divided.  */
static void add_estimate(struct statistics_estimated *mean, uint64_t count,
                         const struct side_run *run, const struct side_range *range,
                         enum side_measure measure)
{
    const struct statistics_interval *interval = interval_of(range, measure);
    double value = (double)count;
    mean->value += value;
    if (!run->ranges.by_function)
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
                                          enum side_measure measure)
{
    struct statistics_estimated mean = {0};
    for (size_t i = 0; i < side->run_count; i++) {
        const struct side_run *run = &side->runs[i];
        const struct side_ranges *ranges = &run->ranges;
        bool seen = function < ranges->count;
        add_estimate(&mean, side_value(run, function, measure), run,
                     seen ? &ranges->by_function[function] : &ranges->none, measure);
    }
    divide(&mean, side);
    return mean;
}

struct statistics_interval side_bounds(const struct side *side, uint32_t function,
                                       enum side_measure measure)
{
    struct statistics_interval bounds = {0};
    for (size_t i = 0; i < side->run_count; i++) {
        const struct side_run *run = &side->runs[i];
        double value = (double)side_value(run, function, measure);
        struct statistics_interval of = {value, value};
        if (run->bounded && function < run->ranges.count)
            of = run->ranges.by_function[function].stack;
        bounds.least += of.least / (double)side->run_count;
        bounds.most += of.most / (double)side->run_count;
    }
    return bounds;
}

struct statistics_estimated side_estimate_all(const struct side *side,
                                              enum side_measure measure)
{
    struct statistics_estimated mean = {0};
    for (size_t i = 0; i < side->run_count; i++)
        add_estimate(&mean, side->runs[i].totals[measure], &side->runs[i],
                     &side->runs[i].ranges.all, measure);
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

const char *side_measure_name(enum side_measure measure)
{
    static const char *const names[] = {[SIDE_TIME] = "time",
                                        [SIDE_STACK] = "stack",
                                        [SIDE_CALLS] = "calls",
                                        [SIDE_BYTES] = "bytes",
                                        [SIDE_BLOCKS] = "blocks"};
    return names[measure];
}

const char *side_noun(const struct side *side)
{
    return side->allocs ? allocs_table_noun(side->allocs) : view_key_noun(side->key);
}

const char *side_unit(const struct side *side, enum side_measure measure)
{
    static const char *const units[] = {[SIDE_TIME] = "seconds",
                                        [SIDE_CALLS] = "calls",
                                        [SIDE_BYTES] = "bytes",
                                        [SIDE_BLOCKS] = "blocks"};
    bool places = side->key == ROWS_LINES || side->key == ROWS_EXPRESSIONS;
    if (measure == SIDE_CALLS && places)
        return "executions";
    if (measure != SIDE_STACK)
        return units[measure];
    unsigned kind = side->run_count ? side->runs[0].kind : 0;
    return kind & CCPROF_KIND_TIME    ? "seconds on the stack"
           : kind & CCPROF_KIND_ALLOC ? "bytes on the stack"
                                      : "calls on the stack";
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
        free(side->runs[i].values);
        side_ranges_free(&side->runs[i].ranges);
    }
    free(side->functions);
    free(side->runs);
    identity_free(&side->identity);
    points_free(&side->points);
    memset(side, 0, sizeof *side);
}
