/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/datatables.h"
#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/base/text.h"
#include "mlprof/export/measures.h"
#include "mlprof/rows/flowlines.h"
#include "mlprof/rows/lines.h"

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

/* 0: not known.  */
static void put_known(struct datatable *table, uint64_t value)
{
    datatable_integer_if(table, value != 0, value);
}

static void put_name(struct datatable *table, const struct view *view,
                     const struct rows_row *row)
{
    char *name = row ? view_name(view, row) : NULL;
    datatable_text(table, name);
    free(name);
}

/* Name, file and line of a row; nothing is known of what is outside.  */
static void put_function(struct datatable *table, const struct view *view, uint32_t row)
{
    const struct rows_row *found = row_of(view, row);
    if (row == ARCS_OTHERS)
        datatable_text(table, ARCS_OTHERS_NAME);
    else
        put_name(table, view, found);
    datatable_text(table, found ? found->source.file : NULL);
    put_known(table, found ? found->source.line : 0);
}

/* Columns samples and time_ns.  */
static void put_samples_if(struct datatable *table, const struct view *view, bool known,
                           uint64_t samples)
{
    known &= profile_measure(view->profile) == PROFILE_SAMPLES && view->profile->kind;
    datatable_integer_if(table, known, samples);
    datatable_integer_if(table, known, measures_nanoseconds(view->profile, samples));
}

static void put_samples(struct datatable *table, const struct view *view,
                        uint64_t samples)
{
    put_samples_if(table, view, true, samples);
}

static bool is_of(const struct view *view, enum profile_measure measure)
{
    return view->profile->kind && profile_measure(view->profile) == measure;
}

/* Columns share, share_least, share_most: of TOTAL, with the interval that holds the
   truth in 95 of 100 runs; what was counted is exact.  */
static void put_share(struct datatable *table, const struct view *view, uint64_t total,
                      uint64_t amount, bool unknown, const struct stacks_trust *trust)
{
    if (total == 0 || unknown) {
        for (int i = 0; i < 3; i++)
            datatable_null(table);
        return;
    }
    double share = (double)amount / (double)total;
    struct statistics_interval interval = {share, share};
    if (is_of(view, PROFILE_SAMPLES))
        interval = statistics_share_uncertain(amount, trust->less, trust->more, total);
    datatable_number(table, share);
    datatable_number(table, interval.least);
    datatable_number(table, interval.most);
}

#define MEASURES                                                                         \
    "samples", "time_ns", "share", "share_least", "share_most", "stack_samples",         \
        "stack_time_ns", "stack_share", "stack_share_least", "stack_share_most",         \
        "samples_less", "samples_more", "calls", "stack_calls", "bytes", "stack_bytes",  \
        "allocations"

/* ROW is of ROWS.  */
static void put_measures(struct datatable *table, const struct view *view,
                         const struct rows *rows, const struct rows_row *row)
{
    static const struct stacks_trust certain;
    bool sampled = is_of(view, PROFILE_SAMPLES), stack = rows->stack;
    bool executed = rows_are_executed(rows);
    bool counted = is_of(view, PROFILE_CALLS), bytes = is_of(view, PROFILE_BYTES);
    bool allocated = view->profile->kind & CCPROF_KIND_ALLOC;
    sampled &= !row->no_cur;
    stack &= !row->no_stack;
    allocated &= !row->no_bytes;
    put_samples_if(table, view, !row->no_cur, row->cur);
    put_share(table, view, rows->total, row->cur, row->no_cur, &row->trust);
    datatable_integer_if(table, sampled && stack, row->stack);
    datatable_integer_if(table, sampled && stack,
                         measures_nanoseconds(view->profile, row->stack));
    if (stack)
        put_share(table, view, rows->total, row->stack, false, &certain);
    else
        for (int i = 0; i < 3; i++)
            datatable_null(table);
    datatable_integer_if(table, sampled, row->trust.less);
    datatable_integer_if(table, sampled, row->trust.more);
    datatable_integer_if(table, !executed && row->counted, row->calls);
    datatable_integer_if(table, counted && stack, row->stack);
    datatable_integer_if(table, allocated, row->bytes);
    datatable_integer_if(table, bytes && stack, row->stack);
    datatable_integer_if(table, allocated, row->blocks);
}

static void fill_functions(struct datatable *table, const struct view *view,
                           const struct export_asked *asked)
{
    static const char *const heads[] = {"function", "symbol", "file",   "line",
                                        "column",   "branch", MEASURES, NULL};
    table->heads = heads;
    for (size_t i = 0; i < view->rows->count; i++) {
        const struct rows_row *row = &view->rows->rows[i];
        const struct identity_source *source = &row->source;
        if (!is_asked(view, asked, row))
            continue;
        put_name(table, view, row);
        datatable_text(table, source->symbol && *source->symbol ? source->symbol : NULL);
        datatable_text(table, source->file);
        put_known(table, source->line);
        put_known(table, source->column);
        datatable_bool(table, row->branch);
        put_measures(table, view, view->rows, row);
    }
}

#define OF_GROUP "executions", "local_samples", "instructions", "code_bytes"

/* What only lines, expressions and copies have.  */
static void put_of_group(struct datatable *table, const struct view *view,
                         const struct rows *rows, const struct rows_row *row)
{
    bool executed = rows_are_executed(rows);
    datatable_integer_if(table, executed && row->counted, row->calls);
    datatable_integer_if(table, executed && is_of(view, PROFILE_SAMPLES), row->within);
    put_known(table, row->code.insns);
    put_known(table, row->code.bytes);
}

static void fill_groups(struct datatable *table, const struct view *view,
                        const struct export_asked *asked)
{
    static const char *const heads[] = {"name",   "place",  "file",   "line",
                                        "column", MEASURES, OF_GROUP, NULL};
    (void)asked;
    table->heads = heads;
    for (size_t i = 0; view->grouped && i < view->grouped->count; i++) {
        const struct rows_row *row = &view->grouped->rows[i];
        put_name(table, view, row);
        char *place = row->place ? text_plain(row->place) : NULL;
        datatable_text(table, place);
        free(place);
        datatable_text(table, row->source.file);
        put_known(table, row->source.line);
        put_known(table, row->source.column);
        put_measures(table, view, view->grouped, row);
        put_of_group(table, view, view->grouped, row);
    }
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

static void fill_pairs(struct datatable *table, const struct view *view,
                       const struct export_asked *asked)
{
    static const char *const heads[] = {
        "caller",      "caller_file", "caller_line", "callee", "callee_file",
        "callee_line", "samples",     "time_ns",     "bytes",  "calls",
        "calls_least", "calls_most",  NULL};
    const struct rows *rows = view->rows;
    struct pairs pairs = {0};
    table->heads = heads;
    for (size_t i = 0; i < rows->edge_count; i++)
        put_pair(&pairs, rows->edges[i].caller, rows->edges[i].callee)->weight =
            rows->edges[i].weight;
    if (view->arcs && view->arcs->function_count)
        add_counted(&pairs, view->arcs);
    if (pairs.count)
        qsort(pairs.list, pairs.count, sizeof *pairs.list, by_rows);
    for (size_t i = 0; i < pairs.count; i++) {
        const struct pair *pair = &pairs.list[i];
        bool callers = asked && asked->table == EXPORT_CALLERS;
        if (!is_asked(view, asked, row_of(view, callers ? pair->callee : pair->caller)))
            continue;
        put_function(table, view, pair->caller);
        put_function(table, view, pair->callee);
        put_samples(table, view, pair->weight);
        datatable_integer_if(table, is_of(view, PROFILE_BYTES), pair->weight);
        datatable_integer_if(table, pair->counted, pair->calls.count);
        datatable_integer_if(table, pair->counted, pair->calls.least);
        datatable_integer_if(table, pair->counted, pair->calls.most);
    }
    free(pairs.list);
    index_free(&pairs.index);
}

static void fill_lines(struct datatable *table, const struct view *view,
                       const struct export_asked *asked)
{
    static const char *const heads[] = {
        "function",      "file",  "line",        "samples",    "time_ns", "stack_samples",
        "stack_time_ns", "bytes", "stack_bytes", "executions", NULL};
    const struct rows *rows = view->rows;
    struct lines lines;
    bool *wanted = buf_alloc(rows->count + 1);
    bool bytes = is_of(view, PROFILE_BYTES);
    table->heads = heads;
    for (size_t i = 0; i < rows->count; i++)
        wanted[i] = is_asked(view, asked, &rows->rows[i]);
    lines_count(&lines, rows, wanted);
    if (view->flows)
        flowlines_add(&lines, view->flows, rows, wanted);
    for (size_t i = 0; i < lines.count; i++) {
        const struct lines_line *line = &lines.lines[i];
        put_name(table, view, row_of(view, line->row));
        datatable_text(table, rows->rows[line->row].source.file);
        put_known(table, line->line);
        put_samples(table, view, line->cur);
        put_samples(table, view, line->stack);
        datatable_integer_if(table, bytes, line->cur);
        datatable_integer_if(table, bytes, line->stack);
        datatable_integer_if(table, line->counted, line->count);
    }
    lines_free(&lines);
    free(wanted);
}

static void put_site(struct datatable *table, const struct view *view,
                     const struct arcs_site *site, bool indirect, uint32_t callee,
                     uint64_t calls)
{
    put_name(table, view, row_of(view, site->row));
    datatable_text(table, site->position.file);
    put_known(table, site->position.line);
    put_known(table, site->position.column);
    datatable_bool(table, indirect);
    put_name(table, view, row_of(view, callee));
    datatable_text(table, site->symbol);
    datatable_integer(table, calls);
}

/* An indirect call has a row for each target that was counted, and one for what is left.
 */
static void fill_sites(struct datatable *table, const struct view *view,
                       const struct export_asked *asked)
{
    static const char *const heads[] = {"caller", "file",   "line",  "column", "indirect",
                                        "callee", "symbol", "calls", NULL};
    const struct arcs *arcs = view->arcs;
    table->heads = heads;
    for (size_t i = 0; arcs && i < arcs->count; i++) {
        const struct arcs_site *site = &arcs->sites[i];
        bool indirect = !site->symbol;
        uint64_t left = site->count;
        if (!is_asked(view, asked, row_of(view, site->row)))
            continue;
        for (size_t k = 0; k < site->target_count; k++) {
            const struct arcs_target *target =
                &arcs->targets_counted[site->first_target + k];
            put_site(table, view, site, indirect, target->callee, target->count);
            left -= target->count < left ? target->count : left;
        }
        if (left || !site->target_count)
            put_site(table, view, site, indirect, site->callee, left);
    }
}

static void fill_allocations(struct datatable *table, const struct view *view,
                             const struct export_asked *asked)
{
    static const char *const heads[] = {"function", "file",        "line",
                                        "column",   "type",        "allocator",
                                        "bytes",    "allocations", NULL};
    const struct rows *rows = view->rows;
    const struct allocs *allocs = &rows->stacks.allocs;
    (void)asked;
    table->heads = heads;
    for (size_t i = 0; i < allocs->count; i++) {
        const struct allocs_site *site = &allocs->sites[i];
        struct rows_row row = {.source = rows->stacks.sources[site->source]};
        if (site->source < rows->source_count &&
            rows->of_source[site->source] != STACKS_NONE)
            row.shown = rows->rows[rows->of_source[site->source]].shown;
        put_name(table, view, &row);
        datatable_text(table, site->file);
        put_known(table, site->line);
        put_known(table, site->column);
        datatable_text(table, *site->site->type ? site->site->type : NULL);
        datatable_text(table, *site->site->allocator ? site->site->allocator : NULL);
        datatable_integer(table, site->bytes);
        datatable_integer(table, site->blocks);
    }
}

const struct datatables_table datatables_all[] = {
    {EXPORT_FUNCTIONS, "functions", fill_functions},
    {EXPORT_GROUPS, "groups", fill_groups},
    {EXPORT_CALLERS, "calls", fill_pairs},
    {EXPORT_LINES, "lines", fill_lines},
    {EXPORT_SITES, "call_sites", fill_sites},
    {EXPORT_ALLOCATIONS, "allocations", fill_allocations},
    {EXPORT_REGIONS, "regions", datatables_regions},
    {EXPORT_REGION_BUCKETS, "region_buckets", datatables_region_buckets},
    {EXPORT_REGION_EVENTS, "region_events", datatables_region_events},
    {EXPORT_PARALLEL, "parallel", datatables_parallel},
};

const size_t datatables_count = sizeof datatables_all / sizeof *datatables_all;
