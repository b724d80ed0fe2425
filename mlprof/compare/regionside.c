/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/regionside.h"
#include "mlprof/base/buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *colon_of(const struct regionrows_row *row)
{
    return row->position ? strrchr(row->position, ':') : NULL;
}

static uint32_t line_of(const struct regionrows_row *row)
{
    const char *colon = colon_of(row);
    return colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
}

/* The files of the functions in a row, the outermost first, to be freed; NULL: none is
   known.  */
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

/* A number for the lines of the functions around a row's function.  For a single function
   the number is its line, so that overloads are sorted by line.  */
static uint32_t outer_lines(const struct regionrows *rows,
                            const struct regionrows_row *row)
{
    if (row->parent == REGIONROWS_NONE)
        return 0;
    const struct regionrows_row *outer = &rows->rows[row->parent];
    return outer_lines(rows, outer) * 65599 + line_of(outer);
}

/* The number of a row's region.  Regions differ by name and, if they are functions, by
   files and lines.  */
static uint32_t put(struct regionside *side, const struct regionrows *rows,
                    const struct regionrows_row *row)
{
    char *files = files_of(rows, row);
    const struct identity_source source = {.name = row->name,
                                           .file = files,
                                           .line = line_of(row),
                                           .column = outer_lines(rows, row)};
    uint32_t number = side_put(&side->regions, &source, row->name);
    free(files);
    return number;
}

void regionside_add(struct regionside *side, const struct evaluate_result *result)
{
    const struct regionrows *rows = &result->regions[side->by];
    struct regionside_run run = {0};
    uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (size_t i = 0; i < rows->count; i++)
        numbers[i] = put(side, rows, &rows->rows[i]);
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
        numbers[i] = put(side, rows, &rows->rows[i]);
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
