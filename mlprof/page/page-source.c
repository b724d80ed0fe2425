/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes facts about source lines and expressions, for page.c: the lines that have
   machine code, whether measured or not, how often lines and expressions were
   executed, and what GCC did with loops. */

#include "mlprof/base/buf.h"
#include "mlprof/flow/executions.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/rows/lines.h"
#include "mlprof/rows/verdicts.h"

#include <stdlib.h>

/* A line with machine code; FUNCTION is -1 if the function has no row. */
struct coded {
    int64_t function, file;
    uint32_t line;
};

struct search {
    struct page_data *data;
    struct index index; /* key: function, file, line */
    struct coded *lines;
    size_t count, capacity;
    struct intern paths; /* the page's files come first, in the page's order */
};

/* Returns the number of the file in the page, or DATACOLUMNS_NONE if the page does not
   contain the file. */
static int64_t file_of(struct search *search, const struct unit *unit, uint32_t file)
{
    const char *path = unit_file(unit, file);
    uint32_t number = path ? intern_put(&search->paths, path) : UINT32_MAX;
    return number < search->data->files.count ? (int64_t)number : DATACOLUMNS_NONE;
}

static void put_line(struct search *search, const struct unit *unit,
                     const struct function_frame *frame)
{
    int64_t file = file_of(search, unit, frame->position.file);
    bool fresh;
    if (file < 0 || !frame->position.line)
        return;
    int64_t function = page_row_of(search->data, frame->source);
    index_put(&search->index, (uint64_t)function, (uint64_t)file, frame->position.line,
              &fresh);
    if (!fresh)
        return;
    BUF_NEXT(search->lines, search->count, search->capacity) =
        (struct coded){function, file, frame->position.line};
}

static void put_function(struct search *search, const struct function *function)
{
    for (size_t i = 0; i < function->entries.count; i++) {
        const struct function_entry *entry = &function->entries.list[i];
        uint64_t end = i + 1 < function->entries.count ? entry[1].offset : function->size;
        struct function_frames walk = function_frames(function, entry->point);
        struct function_frame frame;
        while (entry->offset < end && function_frames_next(&walk, &frame))
            put_line(search, function->unit, &frame);
    }
}

BUF_COMPARE(by_place, struct coded, BUF_ORDER(a->file, b->file) ?:
            BUF_ORDER(a->function, b->function) ?: BUF_ORDER(a->line, b->line))

static const struct datacolumns_column coded_columns[] = {
    DATACOLUMNS_MEMBER(coded, function),
    DATACOLUMNS_MEMBER(coded, file),
    DATACOLUMNS_MEMBER(coded, line),
    {0}};

void page_coded_print(struct page_data *data)
{
    const struct program *program = data->view->program;
    struct search search = {.data = data};
    /* In tables of kinds other than time-label, only calls have positions. */
    const struct profile *profile = data->view->profile;
    bool known = (profile->kind & CCPROF_KIND_TIME || profile_is_of_heap(profile)) &&
                 !program_has_field(program);
    for (uint32_t i = 0; i < data->files.count; i++)
        intern_put(&search.paths, intern_text(&data->files, i));
    for (uint32_t module = 0; module < program->count; module++) {
        struct tables *tables = program->tables[module];
        for (uint32_t i = 0; tables && i < tables_unit_count(tables); i++)
            known = known && tables_unit(tables, i)->position != CCPROF_POSITION_NONE;
        for (uint32_t i = 0; tables && i < tables_function_count(tables); i++)
            put_function(&search, tables_function(tables, i));
    }
    BUF_SORT(search.lines, search.count, by_place);
    /* If a unit has no positions, lines without code cannot be determined. */
    datacolumns_print(&data->columns, "coded", data, search.lines,
                      known ? search.count : 0, coded_columns);
    index_free(&search.index);
    intern_free(&search.paths);
    free(search.lines);
}

static const struct datacolumns_column line_columns[] = {
    DATACOLUMNS_NAMED("function", lines_line, row),
    DATACOLUMNS_MEMBER(lines_line, line),
    DATACOLUMNS_MEMBER(lines_line, count),
    {0}};

void page_lines_print(struct page_data *data)
{
    const struct view *view = data->view;
    const struct rows *rows = view->rows;
    struct lines lines;
    size_t counted = 0;
    BUF_OWN bool *selected = buf_alloc(rows->count + 1);
    for (size_t i = 0; i < rows->count; i++)
        selected[i] = true;
    lines_count(&lines, rows, selected);
    lines_add_counts(&lines, report_flows(view->report), rows, selected);
    for (size_t i = 0; i < lines.count; i++)
        if (lines.lines[i].counted && lines.lines[i].line)
            lines.lines[counted++] = lines.lines[i];
    datacolumns_print(&data->columns, "lines", data, lines.lines, counted, line_columns);
    lines_free(&lines);
}

PAGE_VALUE(executed_file, executions_point, page_file(data, row->file))

static const struct datacolumns_column executed_columns[] = {
    {"file", .value = executed_file},
    DATACOLUMNS_MEMBER(executions_point, line),
    DATACOLUMNS_MEMBER(executions_point, column),
    DATACOLUMNS_NAMED("start_line", executions_point, range.start_line),
    DATACOLUMNS_NAMED("start_column", executions_point, range.start_column),
    DATACOLUMNS_NAMED("end_line", executions_point, range.end_line),
    DATACOLUMNS_NAMED("end_column", executions_point, range.end_column),
    DATACOLUMNS_MEMBER(executions_point, count),
    {0}};

/* POINTS are positions. Gives each one the first of the RANGES that start there. */
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
    executions_find(&executions, report_flows(view->report), EXECUTIONS_OF_RANGES);
    /* If time was sampled, the page's table of expressions has positions, not ranges. */
    if (profile_measure(view->profile)->sampled && executions.count) {
        struct executions points;
        executions_find(&points, report_flows(view->report), EXECUTIONS_OF_POINTS);
        put_ranges(&points, &executions);
        executions_free(&executions);
        executions = points;
    }
    datacolumns_print(&data->columns, "executed", data, executions.points,
                      executions.count, executed_columns);
    executions_free(&executions);
}

/* What GCC did with loops: in the table of loops, and beside the line of the loop's head.
 */

static const struct verdicts_loop *loop_of(const struct page_data *data,
                                           const struct verdicts_verdict *verdict)
{
    return &report_verdicts(data->view->report)->loops[verdict->loop];
}

PAGE_VALUE(verdict_file, verdicts_verdict, page_file(data, loop_of(data, row)->file))
PAGE_VALUE(verdict_line, verdicts_verdict, loop_of(data, row)->line)
PAGE_VALUE(verdict_into, verdicts_verdict, page_number(row->into))

static const struct datacolumns_column verdict_columns[] = {
    {"file", .value = verdict_file},
    {"line", .value = verdict_line},
    DATACOLUMNS_MEMBER(verdicts_verdict, text),
    DATACOLUMNS_MEMBER(verdicts_verdict, messages),
    {"into", .value = verdict_into},
    DATACOLUMNS_MEMBER(verdicts_verdict, copies),
    DATACOLUMNS_MEMBER(verdicts_verdict, cur),
    {0}};

void page_verdicts_print(struct page_data *data)
{
    const struct verdicts *verdicts = report_verdicts(data->view->report);
    datacolumns_print(&data->columns, "verdicts", data, verdicts->list.list,
                      verdicts->list.count, verdict_columns);
}
