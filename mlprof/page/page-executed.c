/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists how often each expression was executed, sampled or not, for page-data.c.  */

#include "mlprof/base/buf.h"
#include "mlprof/flow/executions.h"
#include "mlprof/page/page-inside.h"

static int64_t file_of(struct page_data *data, const struct executions_point *point)
{
    return page_files_put(&data->files, point->flow->flow->unit->directory, point->file);
}

PAGE_VALUE(executed_file, executions_point, file_of(data, at))
PAGE_VALUE(executed_line, executions_point, at->line)
PAGE_VALUE(executed_column, executions_point, at->column)
PAGE_VALUE(executed_start_line, executions_point, at->range.start_line)
PAGE_VALUE(executed_start_column, executions_point, at->range.start_column)
PAGE_VALUE(executed_end_line, executions_point, at->range.end_line)
PAGE_VALUE(executed_end_column, executions_point, at->range.end_column)
PAGE_VALUE(executed_count, executions_point, at->count)

static const struct datacolumns_column executed_columns[] = {
    {"file", executed_file},
    {"line", executed_line},
    {"column", executed_column},
    {"start_line", executed_start_line},
    {"start_column", executed_start_column},
    {"end_line", executed_end_line},
    {"end_column", executed_end_column},
    {"count", executed_count},
    {0}};

/* Gives POINTS, which are positions, the first of the RANGES at each.  */
static void put_ranges(struct executions *points, const struct executions *ranges)
{
    struct index index = {0};
    BUF_OWN uint32_t *first = buf_alloc((ranges->count + 1) * sizeof *first);
    for (size_t i = 0; i < ranges->count; i++) {
        const struct executions_point *range = &ranges->points[i];
        bool fresh;
        uint32_t number =
            index_put(&index, (uintptr_t)range->flow, (uintptr_t)range->file,
                      (uint64_t)range->line << 32 | range->column, &fresh);
        if (fresh)
            first[number] = (uint32_t)i;
    }
    for (size_t i = 0; i < points->count; i++) {
        struct executions_point *point = &points->points[i];
        uint32_t number;
        if (index_get(&index, (uintptr_t)point->flow, (uintptr_t)point->file,
                      (uint64_t)point->line << 32 | point->column, &number))
            point->range = ranges->points[first[number]].range;
    }
    index_free(&index);
}

void page_executed_print(struct page_data *data)
{
    const struct view *view = data->view;
    struct executions executions = {0};
    if (view->flows)
        executions_find(&executions, view->flows, EXECUTIONS_OF_RANGES);
    /* The table of expressions has them by position where they were sampled, too.  */
    if (profile_measure(view->profile)->sampled && executions.count) {
        struct executions points;
        executions_find(&points, view->flows, EXECUTIONS_OF_POINTS);
        put_ranges(&points, &executions);
        executions_free(&executions);
        executions = points;
    }
    datacolumns_print(&data->columns, "executed", data, executions.points,
                      executions.count, executed_columns);
    executions_free(&executions);
}
