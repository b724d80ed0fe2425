/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds exact counts of calls, lines and expressions to the rows of groups, for
   grouping.c. */

#include "mlprof/base/buf.h"
#include "mlprof/flow/executions.h"
#include "mlprof/groups/grouping-inside.h"
#include "mlprof/rows/amounts.h"

#include <stdlib.h>

/* Adds the calls of functions to their files. */
static void add_calls_of_files(struct grouping_builder *build)
{
    const struct rows *rows = build->request->rows;
    for (uint32_t i = 0; i < rows->stacks.sources.count; i++) {
        uint32_t number = rows_of_source(rows, i);
        if (number == STACKS_NONE)
            continue;
        const struct rows_row *row = &rows->rows[number];
        if (!row->counted || row->branch)
            continue;
        uint32_t group = grouping_put_file(&build->keys, i);
        grouping_add_calls(build, group, rows_calls(row));
    }
}

/* Adds the calls of functions to their modules. */
static void add_calls_of_modules(struct grouping_builder *build)
{
    const struct profile *profile = build->request->profile;
    BUF_OWN struct profile_counter *counters =
        buf_alloc((profile->counts.counters.count + 1) * sizeof *counters);
    for (uint32_t module = 0; module < profile->modules.count; module++) {
        struct profile part = *profile;
        struct stacks sources = {0};
        part.counts.counters.list = counters;
        part.counts.counters.count = 0;
        for (size_t i = 0; i < profile->counts.counters.count; i++)
            if (profile->counts.counters.list[i].module == module)
                counters[part.counts.counters.count++] = profile->counts.counters.list[i];
        if (!part.counts.counters.count)
            continue;
        struct counters calls;
        counters_find(&calls, COUNTERS_CALLS, &sources, &part, build->request->program);
        uint32_t group = grouping_put_module(&build->keys, module);
        for (size_t i = 0; i < calls.count; i++)
            grouping_add_calls(build, group, calls.sums[i].count);
        free(calls.sums);
        stacks_free(&sources);
    }
}

static void add_points(struct grouping_builder *build,
                       const struct executions *executions)
{
    BUF_OWN uint32_t *sources = grouping_sources_of_rows(build->request->rows);
    for (size_t i = 0; i < executions->count; i++) {
        const struct executions_point *point = &executions->points[i];
        if (!point->count)
            continue;
        uint32_t group = grouping_put_point(&build->keys, point);
        grouping_add_calls(build, group, point->count);
        grouping_add_piece(build, group, sources[point->flow->row], 0, 0);
    }
}

/* Sets the counts of expressions with samples to the counts of the points at the same
   positions. The ranges of an expression and a point may differ, because the
   optimiser may keep a smaller range than the flow graph has. */
static void add_points_of_groups(struct grouping_builder *build,
                                 const struct executions *executions)
{
    struct index index = {0};
    BUF_OWN uint64_t *counts = buf_alloc((executions->count + 1) * sizeof *counts);
    bool fresh;
    for (size_t i = 0; i < executions->count; i++) {
        const struct executions_point *point = &executions->points[i];
        uint32_t path = intern_put(&build->keys.paths, point->file);
        counts[index_put(&index, path, point->line, point->column, &fresh)] +=
            point->count;
    }
    for (uint32_t i = 0; i < build->keys.count; i++) {
        const struct grouping_group *group = &build->keys.groups[i];
        uint32_t number;
        if (index_get(&index, group->path, group->line, group->column, &number))
            grouping_add_calls(build, i, counts[number]);
    }
    index_free(&index);
}

void grouping_add_counts(struct grouping_builder *build)
{
    const struct grouping *request = build->request;
    struct executions executions;
    bool columns = request->key == ROWS_EXPRESSIONS;
    bool sampled = profile_measure(request->profile)->sampled;
    if (!(request->profile->kind & CCPROF_KIND_COUNT))
        return;
    if (request->key == ROWS_FILES)
        add_calls_of_files(build);
    if (request->key == ROWS_MODULES)
        add_calls_of_modules(build);
    if (request->key != ROWS_LINES && !columns)
        return;
    executions_find(&executions, request->flows,
                    !columns  ? EXECUTIONS_OF_LINES
                    : sampled ? EXECUTIONS_OF_POINTS
                              : EXECUTIONS_OF_RANGES);
    if (columns && sampled)
        add_points_of_groups(build, &executions);
    else
        add_points(build, &executions);
    executions_free(&executions);
}
