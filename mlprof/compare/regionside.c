/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/regionside.h"
#include "mlprof/base/buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of a row's region: its name, and of a function its file and line.  */
static uint32_t put(struct regionside *side, const struct regionrows_row *row)
{
    const char *colon = row->position ? strrchr(row->position, ':') : NULL;
    char *file =
        colon ? buf_format("%.*s", (int)(colon - row->position), row->position) : NULL;
    const struct identity_source source = {
        .name = row->name,
        .file = file,
        .line = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0};
    uint32_t number = side_put(&side->regions, &source, row->name);
    free(file);
    return number;
}

void regionside_add(struct regionside *side, const struct evaluate_result *result)
{
    const struct regionrows *rows = &result->regions[side->by];
    struct regionside_run run = {0};
    uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        numbers[i] = put(side, &rows->rows[i]);
    run.count = side->regions.function_count;
    run.values = buf_alloc((run.count + 1) * sizeof *run.values);
    for (size_t i = 0; i < rows->count; i++) {
        const struct regiontimes *times = &rows->rows[i].times;
        run.values[numbers[i]] =
            (struct regionside_value){.calls = rows->rows[i].sums.count,
                                      .mean = times->mean,
                                      .deviation = times->deviation,
                                      .p50 = times->p50.at,
                                      .p99 = times->p99.at};
    }
    free(numbers);
    side->runs = buf_grow(side->runs, &side->run_capacity, side->run_count + 1,
                          sizeof *side->runs);
    side->runs[side->run_count++] = run;
    side->measured += rows->count > 0;
    side->tick = fmax(side->tick, rows->cost.tick);
}

struct regionside_value regionside_value(const struct regionside *side, size_t run,
                                         uint32_t region)
{
    const struct regionside_run *of = &side->runs[run];
    return region < of->count ? of->values[region] : (struct regionside_value){0};
}

const struct regionrows_row **regionside_rows(struct regionside *side,
                                              const struct regionrows *rows)
{
    uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        numbers[i] = put(side, &rows->rows[i]);
    const struct regionrows_row **of =
        buf_alloc((side->regions.function_count + 1) * sizeof *of);
    for (size_t i = 0; i < rows->count; i++)
        of[numbers[i]] = &rows->rows[i];
    free(numbers);
    return of;
}

void regionside_free(struct regionside *side)
{
    for (size_t i = 0; i < side->run_count; i++)
        free(side->runs[i].values);
    free(side->runs);
    side_free(&side->regions);
    memset(side, 0, sizeof *side);
}
