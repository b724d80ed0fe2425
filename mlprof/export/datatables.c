/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/datatables.h"
#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/rows/flowlines.h"
#include "mlprof/rows/lines.h"
#include "mlprof/view/allocs-table.h"
#include "mlprof/view/pairs-table.h"
#include "mlprof/view/parallelview.h"
#include "mlprof/view/regions-table.h"
#include "mlprof/view/rows-table.h"
#include "mlprof/view/sites-table.h"

#include <stdlib.h>
#include <string.h>

static bool is_asked(const struct view *view, const struct export_asked *asked,
                     const struct rows_row *row)
{
    return !asked || !asked->pattern || (row && view_matches(view, asked->pattern, row));
}

static const struct rows_row *row_of(const struct view *view, uint32_t row)
{
    return row < view->rows->count ? &view->rows->rows[row] : NULL;
}

/* The functions of columns: values of ROW, a struct TYPE, as VIEW has it.  */
#define VALUE(name, type, expression)                                                    \
    TABLE_VALUE(name, const struct view *view = of; const struct type *row = at;         \
                (void)view, expression)

/* 0: not known.  */
static struct table_value known(uint64_t value)
{
    return table_integer_if(value != 0, value);
}

/* The name of a row; nothing is known of what is outside.  */
static struct table_value name_of(const struct view *view, const struct rows_row *row)
{
    return table_text_freed(row ? view_name(view, row) : NULL);
}

static bool is_of(const struct view *view, enum profile_measure measure)
{
    return view->profile->kind && profile_measure(view->profile) == measure;
}

static bool is_sampled(const struct view *view)
{
    return is_of(view, PROFILE_SAMPLES);
}

static struct table_value samples_if(const struct view *view, bool known,
                                     uint64_t samples)
{
    return table_integer_if(known && is_sampled(view), samples);
}

static struct table_value time_if(const struct view *view, bool known, uint64_t samples)
{
    return table_integer_if(known && is_sampled(view),
                            profile_nanoseconds(view->profile, samples));
}

static void fill_functions(struct table *table, const struct view *view,
                           const struct export_asked *asked)
{
    rows_table_make(table, view, view->rows, false);
    for (size_t i = 0; i < view->rows->count; i++)
        if (is_asked(view, asked, &view->rows->rows[i]))
            table_add(table, &view->rows->rows[i]);
}

static void fill_groups(struct table *table, const struct view *view,
                        const struct export_asked *asked)
{
    (void)asked;
    if (!view->grouped)
        return;
    rows_table_make(table, view, view->grouped, false);
    for (size_t i = 0; i < view->grouped->count; i++)
        table_add(table, &view->grouped->rows[i]);
}

/* Those of the table, and what its columns are given.  */
struct pairs {
    struct pairs_table_of of;
    struct pairs_table_row *list;
    size_t count, capacity;
    struct index index;
};

static struct pairs_table_row *put_pair(struct pairs *pairs, uint32_t caller,
                                        uint32_t callee)
{
    bool fresh;
    uint32_t number = index_put(&pairs->index, caller, callee, 0, &fresh);
    if (fresh) {
        pairs->list = buf_grow(pairs->list, &pairs->capacity, pairs->count + 1,
                               sizeof *pairs->list);
        pairs->list[pairs->count++] =
            (struct pairs_table_row){.caller = caller, .callee = callee};
    }
    return &pairs->list[number];
}

static int by_rows(const void *one, const void *other)
{
    const struct pairs_table_row *a = one, *b = other;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    return (a->callee > b->callee) - (a->callee < b->callee);
}

static void add_counted(struct pairs *pairs, const struct arcs *arcs)
{
    struct arcs_neighbours neighbours;
    arcs_neighbours_begin(&neighbours, arcs);
    for (uint32_t i = 0; i < arcs->function_count; i++) {
        arcs_neighbours_find(&neighbours, arcs, i, ARCS_CALLERS);
        for (size_t k = 0; k < neighbours.count; k++) {
            struct pairs_table_row *pair = put_pair(pairs, neighbours.list[k].row, i);
            pair->calls = neighbours.list[k].calls;
            pair->counted = true;
        }
    }
    arcs_neighbours_free(&neighbours);
}

static void release_pairs(void *own)
{
    free(((struct pairs *)own)->list);
    free(own);
}

static void fill_pairs(struct table *table, const struct view *view,
                       const struct export_asked *asked)
{
    const struct rows *rows = view->rows;
    bool callers = asked && asked->table == EXPORT_CALLERS;
    struct pairs *pairs = buf_alloc(sizeof *pairs);
    *pairs = (struct pairs){.of.view = view};
    for (size_t i = 0; i < rows->edge_count; i++)
        put_pair(pairs, rows->edges[i].caller, rows->edges[i].callee)->weight =
            rows->edges[i].weight;
    if (view->arcs && view->arcs->function_count)
        add_counted(pairs, view->arcs);
    index_free(&pairs->index);
    if (pairs->count)
        qsort(pairs->list, pairs->count, sizeof *pairs->list, by_rows);
    *table = (struct table){
        .view = &pairs_table, .of = &pairs->of, .own = pairs, .release = release_pairs};
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pairs_table_row *pair = &pairs->list[i];
        if (is_asked(view, asked, row_of(view, callers ? pair->callee : pair->caller)))
            table_add(table, pair);
    }
}

VALUE(line_function, lines_line, name_of(view, row_of(view, row->row)))
VALUE(line_file, lines_line, table_text(view->rows->rows[row->row].source.file))
VALUE(line_line, lines_line, known(row->line))
VALUE(line_samples, lines_line, samples_if(view, true, row->cur))
VALUE(line_time, lines_line, time_if(view, true, row->cur))
VALUE(line_stack_samples, lines_line, samples_if(view, true, row->stack))
VALUE(line_stack_time, lines_line, time_if(view, true, row->stack))
VALUE(line_bytes, lines_line, table_integer_if(is_of(view, PROFILE_BYTES), row->cur))
VALUE(line_stack_bytes, lines_line,
      table_integer_if(is_of(view, PROFILE_BYTES), row->stack))
VALUE(line_executions, lines_line, table_integer_if(row->counted, row->count))

static const struct table_column line_columns[] = {
    TABLE_DATA("function", NULL, line_function),
    TABLE_DATA("file", NULL, line_file),
    TABLE_DATA("line", NULL, line_line),
    TABLE_DATA("samples", NULL, line_samples),
    TABLE_DATA("time_ns", NULL, line_time),
    TABLE_DATA("stack_samples", NULL, line_stack_samples),
    TABLE_DATA("stack_time_ns", NULL, line_stack_time),
    TABLE_DATA("bytes", NULL, line_bytes),
    TABLE_DATA("stack_bytes", NULL, line_stack_bytes),
    TABLE_DATA("executions", NULL, line_executions),
    {0}};

static const struct table_view lines_view = {.name = "lines", .columns = line_columns};

static void release_lines(void *own)
{
    lines_free(own);
    free(own);
}

static void fill_lines(struct table *table, const struct view *view,
                       const struct export_asked *asked)
{
    const struct rows *rows = view->rows;
    struct lines *lines = buf_alloc(sizeof *lines);
    bool *wanted = buf_alloc(rows->count + 1);
    for (size_t i = 0; i < rows->count; i++)
        wanted[i] = is_asked(view, asked, &rows->rows[i]);
    lines_count(lines, rows, wanted);
    if (view->flows)
        flowlines_add(lines, view->flows, rows, wanted);
    free(wanted);
    for (size_t i = 0; i < lines->count; i++)
        table_add(table, &lines->lines[i]);
    table->own = lines;
    table->release = release_lines;
}

static struct sites_table_row called(const struct view *view,
                                     const struct arcs_site *site, uint32_t callee,
                                     uint64_t calls)
{
    return (struct sites_table_row){
        .site = site, .callee = row_of(view, callee), .calls = {calls, calls, calls}};
}

/* An indirect call has a row for each target that was counted, and one for what is left.
 */
static void fill_sites(struct table *table, const struct view *view,
                       const struct export_asked *asked)
{
    const struct arcs *arcs = view->arcs;
    struct sites_table_row *list = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; arcs && i < arcs->count; i++) {
        const struct arcs_site *site = &arcs->sites[i];
        uint64_t left = site->count;
        if (!is_asked(view, asked, row_of(view, site->row)))
            continue;
        list = buf_grow(list, &capacity, count + site->target_count + 1, sizeof *list);
        for (size_t k = 0; k < site->target_count; k++) {
            const struct arcs_target *target =
                &arcs->targets_counted[site->first_target + k];
            list[count++] = called(view, site, target->callee, target->count);
            left -= target->count < left ? target->count : left;
        }
        if (left || !site->target_count)
            list[count++] = called(view, site, site->callee, left);
    }
    for (size_t i = 0; i < count; i++)
        table_add(table, &list[i]);
    table->own = list;
    table->release = free;
}

static void fill_allocations(struct table *table, const struct view *view,
                             const struct export_asked *asked)
{
    const struct allocs *allocs = &view->rows->stacks.allocs;
    struct allocs_table_row *rows = buf_alloc((allocs->count + 1) * sizeof *rows);
    (void)asked;
    for (size_t i = 0; i < allocs->count; i++) {
        const struct allocs_site *site = &allocs->sites[i];
        rows[i] = (struct allocs_table_row){
            .site = site, .blocks = site->blocks, .bytes = site->bytes};
    }
    allocs_table_make(table, view, ALLOCVIEW_NONE, rows, allocs->count);
}

static void fill_parallel(struct table *table, const struct view *view,
                          const struct export_asked *asked)
{
    (void)asked;
    for (size_t i = 0; view->constructs && i < view->constructs->count; i++)
        table_add(table, &view->constructs->rows[i]);
}

const struct datatables_table datatables_all[] = {
    {EXPORT_FUNCTIONS, &rows_table_functions, fill_functions},
    {EXPORT_GROUPS, &rows_table_groups, fill_groups},
    {EXPORT_CALLERS, &pairs_table, fill_pairs},
    {EXPORT_LINES, &lines_view, fill_lines},
    {EXPORT_SITES, &sites_table, fill_sites},
    {EXPORT_ALLOCATIONS, &allocs_table, fill_allocations},
    {EXPORT_REGIONS, &regions_table, datatables_regions},
    {EXPORT_REGION_BUCKETS, &datatables_bucket_view, datatables_region_buckets},
    {EXPORT_REGION_EVENTS, &datatables_event_view, datatables_region_events},
    {EXPORT_PARALLEL, &parallelview_table, fill_parallel},
};

const size_t datatables_count = sizeof datatables_all / sizeof *datatables_all;
