/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/regionside.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

/* Functions of one name in several files are told apart; lines are not, they change.  */
static char *key_of(const struct regionrows_row *row)
{
    const char *colon = row->position ? strrchr(row->position, ':') : NULL;
    if (!colon)
        return buf_copy(row->name);
    return buf_format("%s  %.*s", row->name, (int)(colon - row->position), row->position);
}

/* A name that a row has alone needs no file.  */
static bool is_alone(const struct regionrows *rows, const struct regionrows_row *row)
{
    for (size_t i = 0; i < rows->count; i++)
        if (&rows->rows[i] != row && strcmp(rows->rows[i].name, row->name) == 0)
            return false;
    return true;
}

static uint32_t put(struct regionside *side, const struct regionrows *rows,
                    const struct regionrows_row *row)
{
    char *key = is_alone(rows, row) ? buf_copy(row->name) : key_of(row);
    uint32_t number = intern_put(&side->names, key);
    free(key);
    return number;
}

void regionside_add(struct regionside *side, const struct evaluate_result *result)
{
    const struct regionrows *rows = &result->regions[REGIONROWS_NAMES];
    struct regionside_run run = {0};
    uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        numbers[i] = put(side, rows, &rows->rows[i]);
    run.count = side->names.count;
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
}

struct regionside_value regionside_value(const struct regionside *side, size_t run,
                                         uint32_t region)
{
    const struct regionside_run *of = &side->runs[run];
    return region < of->count ? of->values[region] : (struct regionside_value){0};
}

void regionside_free(struct regionside *side)
{
    for (size_t i = 0; i < side->run_count; i++)
        free(side->runs[i].values);
    free(side->runs);
    intern_free(&side->names);
    memset(side, 0, sizeof *side);
}
