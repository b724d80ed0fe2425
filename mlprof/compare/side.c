/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/side.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static char *copy_or_null(const char *text)
{
    return text ? buf_copy(text) : NULL;
}

/* The number of the function in ROW.  */
static uint32_t put(struct side *side, const struct rows_row *row)
{
    const struct identity_source *source = &row->source;
    bool fresh, has_symbol = source->symbol && *source->symbol;
    uint32_t number = identity_put(&side->identity, source, &fresh);
    if (!fresh)
        return number;
    side->functions = buf_grow(side->functions, &side->function_capacity,
                               side->function_count + 1, sizeof *side->functions);
    side->functions[side->function_count++] = (struct side_function){
        .key = buf_copy(has_symbol ? source->symbol : source->name),
        .file = copy_or_null(source->file),
        .shown = buf_copy(row->shown ? row->shown : source->name),
        .line = source->line,
        .column = source->column,
    };
    return number;
}

/* What was measured of a row.  What is measured alone stands in its cur.  */
static struct side_values values_of(const struct rows_row *row,
                                    enum profile_measure measure)
{
    struct side_values values = {.of = {[SIDE_STACK] = row->stack,
                                        [SIDE_CALLS] = row->calls,
                                        [SIDE_BYTES] = row->bytes,
                                        [SIDE_BLOCKS] = row->blocks}};
    if (measure == PROFILE_SAMPLES)
        values.of[SIDE_TIME] = row->cur;
    return values;
}

void side_add(struct side *side, const struct evaluate_result *result)
{
    const struct profile *profile = result->profile;
    enum profile_measure measure = profile_measure(profile);
    struct side_run run = {
        .kind = profile->kind,
        .clock = profile->clock,
        .rate = profile->rate,
        .samples = profile->samples,
        .seconds = 1e-9 * (double)(profile->clock == PROFILE_WALL ? profile->wall
                                                                  : profile->cpu),
        .uncounted = profile->uncounted,
        .stack = result->rows.stack,
    };
    uint32_t *numbers = buf_alloc((result->rows.count + 1) * sizeof *numbers);
    for (size_t i = 0; i < result->rows.count; i++)
        if (!result->rows.rows[i].branch)
            numbers[i] = put(side, &result->rows.rows[i]);

    run.count = side->function_count;
    run.values = buf_alloc((run.count + 1) * sizeof *run.values);
    for (size_t i = 0; i < result->rows.count; i++) {
        const struct rows_row *row = &result->rows.rows[i];
        if (row->branch)
            continue;
        struct side_values values = values_of(row, measure);
        for (size_t m = 0; m < SIDE_MEASURES; m++) {
            run.values[numbers[i]].of[m] += values.of[m];
            run.totals[m] += values.of[m];
        }
    }
    if (measure == PROFILE_SAMPLES)
        run.totals[SIDE_TIME] = profile->samples;
    run.totals[SIDE_STACK] = result->rows.total;
    free(numbers);

    side->runs = buf_grow(side->runs, &side->run_capacity, side->run_count + 1,
                          sizeof *side->runs);
    side->runs[side->run_count++] = run;
}

void side_add_functions(struct side *side, const struct rows *catalog)
{
    for (size_t i = 0; i < catalog->count; i++)
        put(side, &catalog->rows[i]);
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

void side_free(struct side *side)
{
    for (size_t i = 0; i < side->function_count; i++) {
        free(side->functions[i].key);
        free(side->functions[i].file);
        free(side->functions[i].shown);
    }
    for (size_t i = 0; i < side->run_count; i++)
        free(side->runs[i].values);
    free(side->functions);
    free(side->runs);
    identity_free(&side->identity);
    memset(side, 0, sizeof *side);
}
