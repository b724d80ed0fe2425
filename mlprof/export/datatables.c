/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/datatables.h"
#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/base/text.h"
#include "mlprof/export/measures.h"
#include "mlprof/rows/flowlines.h"
#include "mlprof/rows/lines.h"
#include "mlprof/view/parallelview.h"
#include "mlprof/view/regions-table.h"

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
                            measures_nanoseconds(view->profile, samples));
}

enum bound { SHARE, LEAST, MOST };

/* The share of TOTAL that AMOUNT is, or a bound of the interval that holds the truth in
   95 of 100 runs; what was counted is exact.  */
static struct table_value share_if(const struct view *view, bool known, uint64_t amount,
                                   const struct stacks_trust *trust, enum bound bound)
{
    uint64_t total = view->rows->total;
    if (total == 0 || !known)
        return table_null();
    double share = (double)amount / (double)total;
    if (bound == SHARE || !is_sampled(view))
        return table_number(share);
    struct statistics_interval interval =
        statistics_share_uncertain(amount, trust->less, trust->more, total);
    return table_number(bound == LEAST ? interval.least : interval.most);
}

static bool has_stack(const struct view *view, const struct rows_row *row)
{
    return view->rows->stack && !row->no_stack;
}

static bool has_bytes(const struct view *view, const struct rows_row *row)
{
    return view->profile->kind & CCPROF_KIND_ALLOC && !row->no_bytes;
}

static const struct stacks_trust certain;

VALUE(samples, rows_row, samples_if(view, !row->no_cur, row->cur))
VALUE(time, rows_row, time_if(view, !row->no_cur, row->cur))
VALUE(share, rows_row, share_if(view, !row->no_cur, row->cur, &row->trust, SHARE))
VALUE(share_least, rows_row, share_if(view, !row->no_cur, row->cur, &row->trust, LEAST))
VALUE(share_most, rows_row, share_if(view, !row->no_cur, row->cur, &row->trust, MOST))
VALUE(stack_samples, rows_row,
      samples_if(view, !row->no_cur && has_stack(view, row), row->stack))
VALUE(stack_time, rows_row,
      time_if(view, !row->no_cur && has_stack(view, row), row->stack))
VALUE(stack_share, rows_row,
      share_if(view, has_stack(view, row), row->stack, &certain, SHARE))
VALUE(stack_least, rows_row,
      share_if(view, has_stack(view, row), row->stack, &certain, LEAST))
VALUE(stack_most, rows_row,
      share_if(view, has_stack(view, row), row->stack, &certain, MOST))
VALUE(samples_less, rows_row, samples_if(view, !row->no_cur, row->trust.less))
VALUE(samples_more, rows_row, samples_if(view, !row->no_cur, row->trust.more))
VALUE(calls, rows_row,
      table_integer_if(!rows_are_executed(view->rows) && row->counted, row->calls))
VALUE(stack_calls, rows_row,
      table_integer_if(is_of(view, PROFILE_CALLS) && has_stack(view, row), row->stack))
VALUE(bytes, rows_row, table_integer_if(has_bytes(view, row), row->bytes))
VALUE(stack_bytes, rows_row,
      table_integer_if(is_of(view, PROFILE_BYTES) && has_stack(view, row), row->stack))
VALUE(blocks, rows_row, table_integer_if(has_bytes(view, row), row->blocks))

/* clang-format off */
#define MEASURES                                                                         \
    TABLE_DATA("samples", NULL, samples), TABLE_DATA("time_ns", NULL, time), TABLE_DATA("share", NULL, share),         \
    TABLE_DATA("share_least", NULL, share_least), TABLE_DATA("share_most", NULL, share_most),                \
    TABLE_DATA("stack_samples", NULL, stack_samples), TABLE_DATA("stack_time_ns", NULL, stack_time),         \
    TABLE_DATA("stack_share", NULL, stack_share), TABLE_DATA("stack_share_least", NULL, stack_least),        \
    TABLE_DATA("stack_share_most", NULL, stack_most), TABLE_DATA("samples_less", NULL, samples_less),        \
    TABLE_DATA("samples_more", NULL, samples_more), TABLE_DATA("calls", NULL, calls),                        \
    TABLE_DATA("stack_calls", NULL, stack_calls), TABLE_DATA("bytes", NULL, bytes),                          \
    TABLE_DATA("stack_bytes", NULL, stack_bytes), TABLE_DATA("allocations", NULL, blocks)
/* clang-format on */

VALUE(name, rows_row, name_of(view, row))
VALUE(symbol, rows_row,
      table_text(row->source.symbol && * row->source.symbol ? row->source.symbol : NULL))
VALUE(file, rows_row, table_text(row->source.file))
VALUE(line, rows_row, known(row->source.line))
VALUE(column, rows_row, known(row->source.column))
VALUE(branch, rows_row, table_bool(row->branch))

static const struct table_column function_columns[] = {TABLE_DATA("function", NULL, name),
                                                       TABLE_DATA("symbol", NULL, symbol),
                                                       TABLE_DATA("file", NULL, file),
                                                       TABLE_DATA("line", NULL, line),
                                                       TABLE_DATA("column", NULL, column),
                                                       TABLE_DATA("branch", NULL, branch),
                                                       MEASURES,
                                                       {0}};

static const struct table_view functions_view = {.name = "functions",
                                                 .columns = function_columns};

static void fill_functions(struct table *table, const struct view *view,
                           const struct export_asked *asked)
{
    for (size_t i = 0; i < view->rows->count; i++)
        if (is_asked(view, asked, &view->rows->rows[i]))
            table_add(table, &view->rows->rows[i]);
}

/* What only lines, expressions and copies have.  */
VALUE(place, rows_row, table_text_freed(row->place ? text_plain(row->place) : NULL))
VALUE(executions, rows_row,
      table_integer_if(rows_are_executed(view->rows) && row->counted, row->calls))
VALUE(local_samples, rows_row,
      samples_if(view, rows_are_executed(view->rows), row->within))
VALUE(insns, rows_row, known(row->code.insns))
VALUE(code_bytes, rows_row, known(row->code.bytes))

static const struct table_column group_columns[] = {
    TABLE_DATA("name", NULL, name),
    TABLE_DATA("place", NULL, place),
    TABLE_DATA("file", NULL, file),
    TABLE_DATA("line", NULL, line),
    TABLE_DATA("column", NULL, column),
    MEASURES,
    TABLE_DATA("executions", NULL, executions),
    TABLE_DATA("local_samples", NULL, local_samples),
    TABLE_DATA("instructions", NULL, insns),
    TABLE_DATA("code_bytes", NULL, code_bytes),
    {0}};

static const struct table_view groups_view = {.name = "groups", .columns = group_columns};

/* Columns are given the view with the groups for its rows.  */
static void fill_groups(struct table *table, const struct view *view,
                        const struct export_asked *asked)
{
    (void)asked;
    if (!view->grouped)
        return;
    struct view *grouped = buf_alloc(sizeof *grouped);
    *grouped = *view;
    grouped->rows = view->grouped;
    table->of = table->own = grouped;
    table->release = free;
    for (size_t i = 0; i < view->grouped->count; i++)
        table_add(table, &view->grouped->rows[i]);
}

/* Who called whom: what was sampled and what was counted of it.  */
struct pair {
    uint32_t caller, callee;
    uint64_t weight;
    struct arcs_calls calls;
    bool counted;
};

struct pairs {
    struct pair *list;
    size_t count, capacity;
    struct index index;
};

static struct pair *put_pair(struct pairs *pairs, uint32_t caller, uint32_t callee)
{
    bool fresh;
    uint32_t number = index_put(&pairs->index, caller, callee, 0, &fresh);
    if (fresh) {
        pairs->list = buf_grow(pairs->list, &pairs->capacity, pairs->count + 1,
                               sizeof *pairs->list);
        pairs->list[pairs->count++] = (struct pair){.caller = caller, .callee = callee};
    }
    return &pairs->list[number];
}

static int by_rows(const void *one, const void *other)
{
    const struct pair *a = one, *b = other;
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
            struct pair *pair = put_pair(pairs, neighbours.list[k].row, i);
            pair->calls = neighbours.list[k].calls;
            pair->counted = true;
        }
    }
    arcs_neighbours_free(&neighbours);
}

static struct table_value name_in(const struct view *view, uint32_t row)
{
    return row == ARCS_OTHERS ? table_text(ARCS_OTHERS_NAME)
                              : name_of(view, row_of(view, row));
}

static struct table_value file_in(const struct view *view, uint32_t row)
{
    const struct rows_row *found = row_of(view, row);
    return table_text(found ? found->source.file : NULL);
}

static struct table_value line_in(const struct view *view, uint32_t row)
{
    const struct rows_row *found = row_of(view, row);
    return known(found ? found->source.line : 0);
}

VALUE(pair_caller, pair, name_in(view, row->caller))
VALUE(pair_caller_file, pair, file_in(view, row->caller))
VALUE(pair_caller_line, pair, line_in(view, row->caller))
VALUE(pair_callee, pair, name_in(view, row->callee))
VALUE(pair_callee_file, pair, file_in(view, row->callee))
VALUE(pair_callee_line, pair, line_in(view, row->callee))
VALUE(pair_samples, pair, samples_if(view, true, row->weight))
VALUE(pair_time, pair, time_if(view, true, row->weight))
VALUE(pair_bytes, pair, table_integer_if(is_of(view, PROFILE_BYTES), row->weight))
VALUE(pair_calls, pair, table_integer_if(row->counted, row->calls.count))
VALUE(pair_least, pair, table_integer_if(row->counted, row->calls.least))
VALUE(pair_most, pair, table_integer_if(row->counted, row->calls.most))

static const struct table_column pair_columns[] = {
    TABLE_DATA("caller", NULL, pair_caller),
    TABLE_DATA("caller_file", NULL, pair_caller_file),
    TABLE_DATA("caller_line", NULL, pair_caller_line),
    TABLE_DATA("callee", NULL, pair_callee),
    TABLE_DATA("callee_file", NULL, pair_callee_file),
    TABLE_DATA("callee_line", NULL, pair_callee_line),
    TABLE_DATA("samples", NULL, pair_samples),
    TABLE_DATA("time_ns", NULL, pair_time),
    TABLE_DATA("bytes", NULL, pair_bytes),
    TABLE_DATA("calls", NULL, pair_calls),
    TABLE_DATA("calls_least", NULL, pair_least),
    TABLE_DATA("calls_most", NULL, pair_most),
    {0}};

static const struct table_view pairs_view = {.name = "calls", .columns = pair_columns};

static void fill_pairs(struct table *table, const struct view *view,
                       const struct export_asked *asked)
{
    const struct rows *rows = view->rows;
    bool callers = asked && asked->table == EXPORT_CALLERS;
    struct pairs pairs = {0};
    for (size_t i = 0; i < rows->edge_count; i++)
        put_pair(&pairs, rows->edges[i].caller, rows->edges[i].callee)->weight =
            rows->edges[i].weight;
    if (view->arcs && view->arcs->function_count)
        add_counted(&pairs, view->arcs);
    index_free(&pairs.index);
    if (pairs.count)
        qsort(pairs.list, pairs.count, sizeof *pairs.list, by_rows);
    for (size_t i = 0; i < pairs.count; i++) {
        const struct pair *pair = &pairs.list[i];
        if (is_asked(view, asked, row_of(view, callers ? pair->callee : pair->caller)))
            table_add(table, pair);
    }
    table->own = pairs.list;
    table->release = free;
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

/* One call site and one of those that it calls.  */
struct called {
    const struct arcs_site *site;
    uint32_t callee;
    uint64_t calls;
};

VALUE(site_caller, called, name_of(view, row_of(view, row->site->row)))
VALUE(site_file, called, table_text(row->site->position.file))
VALUE(site_line, called, known(row->site->position.line))
VALUE(site_column, called, known(row->site->position.column))
VALUE(site_indirect, called, table_bool(!row->site->symbol))
VALUE(site_callee, called, name_of(view, row_of(view, row->callee)))
VALUE(site_symbol, called, table_text(row->site->symbol))
VALUE(site_calls, called, table_integer(row->calls))

static const struct table_column site_columns[] = {
    TABLE_DATA("caller", NULL, site_caller),
    TABLE_DATA("file", NULL, site_file),
    TABLE_DATA("line", NULL, site_line),
    TABLE_DATA("column", NULL, site_column),
    TABLE_DATA("indirect", NULL, site_indirect),
    TABLE_DATA("callee", NULL, site_callee),
    TABLE_DATA("symbol", NULL, site_symbol),
    TABLE_DATA("calls", NULL, site_calls),
    {0}};

static const struct table_view sites_view = {.name = "call_sites",
                                             .columns = site_columns};

/* An indirect call has a row for each target that was counted, and one for what is left.
 */
static void fill_sites(struct table *table, const struct view *view,
                       const struct export_asked *asked)
{
    const struct arcs *arcs = view->arcs;
    struct called *list = NULL;
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
            list[count++] = (struct called){site, target->callee, target->count};
            left -= target->count < left ? target->count : left;
        }
        if (left || !site->target_count)
            list[count++] = (struct called){site, site->callee, left};
    }
    for (size_t i = 0; i < count; i++)
        table_add(table, &list[i]);
    table->own = list;
    table->release = free;
}

/* The name of a site's function, as the rows show that.  */
static struct table_value site_name(const struct view *view,
                                    const struct allocs_site *site)
{
    const struct rows *rows = view->rows;
    struct rows_row row = {.source = rows->stacks.sources[site->source]};
    if (site->source < rows->source_count && rows->of_source[site->source] != STACKS_NONE)
        row.shown = rows->rows[rows->of_source[site->source]].shown;
    return name_of(view, &row);
}

VALUE(alloc_function, allocs_site, site_name(view, row))
VALUE(alloc_file, allocs_site, table_text(row->file))
VALUE(alloc_line, allocs_site, known(row->line))
VALUE(alloc_column, allocs_site, known(row->column))
VALUE(alloc_type, allocs_site, table_text(*row->site->type ? row->site->type : NULL))
VALUE(alloc_allocator, allocs_site,
      table_text(*row->site->allocator ? row->site->allocator : NULL))
VALUE(alloc_bytes, allocs_site, table_integer(row->bytes))
VALUE(alloc_blocks, allocs_site, table_integer(row->blocks))

static const struct table_column allocation_columns[] = {
    TABLE_DATA("function", NULL, alloc_function),
    TABLE_DATA("file", NULL, alloc_file),
    TABLE_DATA("line", NULL, alloc_line),
    TABLE_DATA("column", NULL, alloc_column),
    TABLE_DATA("type", NULL, alloc_type),
    TABLE_DATA("allocator", NULL, alloc_allocator),
    TABLE_DATA("bytes", NULL, alloc_bytes),
    TABLE_DATA("allocations", NULL, alloc_blocks),
    {0}};

static const struct table_view allocations_view = {.name = "allocations",
                                                   .columns = allocation_columns};

static void fill_allocations(struct table *table, const struct view *view,
                             const struct export_asked *asked)
{
    const struct allocs *allocs = &view->rows->stacks.allocs;
    (void)asked;
    for (size_t i = 0; i < allocs->count; i++)
        table_add(table, &allocs->sites[i]);
}

static void fill_parallel(struct table *table, const struct view *view,
                          const struct export_asked *asked)
{
    (void)asked;
    for (size_t i = 0; view->constructs && i < view->constructs->count; i++)
        table_add(table, &view->constructs->rows[i]);
}

const struct datatables_table datatables_all[] = {
    {EXPORT_FUNCTIONS, &functions_view, fill_functions},
    {EXPORT_GROUPS, &groups_view, fill_groups},
    {EXPORT_CALLERS, &pairs_view, fill_pairs},
    {EXPORT_LINES, &lines_view, fill_lines},
    {EXPORT_SITES, &sites_view, fill_sites},
    {EXPORT_ALLOCATIONS, &allocations_view, fill_allocations},
    {EXPORT_REGIONS, &regions_table, datatables_regions},
    {EXPORT_REGION_BUCKETS, &datatables_bucket_view, datatables_region_buckets},
    {EXPORT_REGION_EVENTS, &datatables_event_view, datatables_region_events},
    {EXPORT_PARALLEL, &parallelview_table, fill_parallel},
};

const size_t datatables_count = sizeof datatables_all / sizeof *datatables_all;
