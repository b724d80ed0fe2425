/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the rows, for page.c: functions and groups with their values, the row of each
   node of the stacks, and the load over ranks or threads. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/view/view.h"
#include "mlprof/page/page-inside.h"

#include <inttypes.h>
#include <stdlib.h>

static int64_t full_name(struct page_data *data, const struct rows_row *row)
{
    const struct names_style style = {.long_name = true, .form = NAMES_FULL};
    return datacolumns_text_of(&data->columns, names_of(&row->source, &style));
}

static int64_t place(struct page_data *data, const struct rows_row *row)
{
    if (!row->place)
        return DATACOLUMNS_NONE;
    BUF_OWN char *whole = view_place_whole(row);
    return datacolumns_text_of(&data->columns, text_plain(whole));
}

static int64_t each(struct page_data *data, const struct rows_row *row)
{
    return view_has_costs(data->view)
               ? datacolumns_text_of(&data->columns, view_cost(data->view, row))
               : DATACOLUMNS_NONE;
}

static int64_t known_or_none(struct measured_value value)
{
    return value.known ? (int64_t)value.amount : DATACOLUMNS_NONE;
}

static int64_t memory(const struct rows_row *row, bool blocks)
{
    bool measured = row->measured && row->measured->memory;
    return measured ? known_or_none(rows_memory(row, blocks)) : 0;
}

PAGE_VALUE(row_name, rows_row,
           datacolumns_text_of(&data->columns, view_name(data->view, row)))
PAGE_VALUE(row_full, rows_row, full_name(data, row))
PAGE_VALUE(row_symbol, rows_row, datacolumns_text(&data->columns, row->source.symbol))
PAGE_VALUE(row_place, rows_row, place(data, row))
PAGE_VALUE(row_file, rows_row, page_file(data, row->source.file))
PAGE_VALUE(row_cur, rows_row, known_or_none(rows_shown(row, MEASURED_SELF)))
PAGE_VALUE(row_stack, rows_row, known_or_none(rows_shown(row, MEASURED_TOTAL)))
PAGE_VALUE(row_within, rows_row, rows_within(row))
PAGE_VALUE(row_calls, rows_row,
           row->counted ? (int64_t)rows_calls(row) : DATACOLUMNS_NONE)
PAGE_VALUE(row_each, rows_row, each(data, row))
PAGE_VALUE(row_bytes, rows_row, memory(row, false))
PAGE_VALUE(row_blocks, rows_row, memory(row, true))

/* Columns of functions and groups. */
#define MEASURES                                                                         \
    {"name", .value = row_name}, {"file", .value = row_file},                            \
        DATACOLUMNS_NAMED("line", rows_row, source.line),                                \
        DATACOLUMNS_NAMED("column", rows_row, source.column), {"cur", .value = row_cur}, \
        {"stack", .value = row_stack},                                                   \
        DATACOLUMNS_NAMED("less", rows_row, uncertainty.less),                           \
        DATACOLUMNS_NAMED("more", rows_row, uncertainty.more),                           \
        {"calls", .value = row_calls}, {"each", .value = row_each},                      \
        {"bytes", .value = row_bytes},                                                   \
    {                                                                                    \
        "blocks", .value = row_blocks                                                    \
    }

static const struct datacolumns_column function_columns[] = {
    MEASURES,
    {"full", .value = row_full},
    {"symbol", .value = row_symbol},
    DATACOLUMNS_MEMBER(rows_row, branch),
    {0}};

static const struct datacolumns_column group_columns[] = {
    MEASURES,
    {"place", .value = row_place},
    {"within", .value = row_within},
    DATACOLUMNS_NAMED("insns", rows_row, code.insns),
    DATACOLUMNS_NAMED("code", rows_row, code.bytes),
    {0}};

void page_rows_print(struct page_data *data)
{
    const struct view *view = data->view;
    struct json *json = &data->columns.json;
    datacolumns_print(&data->columns, "functions", data, view->rows->rows,
                      view->rows->count, function_columns);
    json_text_field(
        json, "by",
        rows_keys[view->grouped ? view->grouped->key : ROWS_FUNCTIONS].plural);
    json_open_field(json, "groups");
    for (enum rows_key key = ROWS_FUNCTIONS + 1; key < ROWS_KEYS; key++) {
        struct view grouped = *view;
        grouped.rows = report_rows(view->report, key);
        data->view = &grouped;
        if (grouped.rows->count)
            datacolumns_print(&data->columns, rows_keys[key].plural, data,
                              grouped.rows->rows, grouped.rows->count, group_columns);
    }
    data->view = view;
    json_close(json);
    json_open_field(json, "keys");
    for (enum rows_key key = 0; key < ROWS_KEYS; key++) {
        json_open_field(json, rows_keys[key].plural);
        json_unsigned_field(json, "what", rows_keys[key].what);
        json_bool_field(json, "memory", rows_keys[key].memory);
        json_bool_field(json, "executed", rows_keys[key].executed);
        json_bool_field(json, "placed", rows_keys[key].placed);
        json_close(json);
    }
    json_close(json);
    /* The denominators of shares. */
    json_open_field(json, "totals");
    json_unsigned_field(json, rows_keys[ROWS_FUNCTIONS].plural, view->rows->total);
    for (enum rows_key key = ROWS_FUNCTIONS + 1; key < ROWS_KEYS; key++)
        json_unsigned_field(json, rows_keys[key].plural,
                            report_rows(view->report, key)->total);
    json_close(json);
}

/* Groups of nodes with the same copy or point. All nodes of a group are in the same
   row. */
struct alike {
    uint32_t *of_node; /* number of each node's group */
    size_t count;
};

static struct alike find_alike(const struct stacks *stacks, enum rows_alike way)
{
    struct alike alike = {.count = way == ROWS_SAME_COPY ? stacks->copies.count : 0};
    struct index points = {0};
    bool fresh;
    alike.of_node = buf_alloc((stacks->nodes.count + 1) * sizeof *alike.of_node);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        alike.of_node[i] = way == ROWS_SAME_COPY ? node->copy
                           : way == ROWS_SAME_POINT
                               ? index_put(&points, node->copy, node->position, 0, &fresh)
                               : i;
        if (alike.of_node[i] >= alike.count)
            alike.count = alike.of_node[i] + (size_t)1;
    }
    index_free(&points);
    return alike;
}

/* Prints the row of each group in order. OF_NODE has the row of each node. */
static void print_rows(struct json *json, const struct stacks *stacks,
                       const struct alike *alike, const uint32_t *of_node)
{
    int64_t *rows = buf_alloc((alike->count + 1) * sizeof *rows);
    for (size_t i = 0; i < alike->count; i++)
        rows[i] = DATACOLUMNS_NONE;
    for (size_t i = 0; i < stacks->nodes.count; i++)
        if (of_node[i] != STACKS_NONE)
            rows[alike->of_node[i]] = of_node[i];
    for (size_t i = 0; i < alike->count; i++)
        json_signed(json, rows[i]);
    free(rows);
}

void page_groups_print(struct page_data *data)
{
    static const char *const ways[] = {[ROWS_SAME_COPY] = "copy",
                                       [ROWS_SAME_POINT] = "point",
                                       [ROWS_SAME_NODE] = "node"};
    const struct view *view = data->view;
    const struct stacks *stacks = &view->rows->stacks;
    struct json *json = &data->columns.json;
    json_open_field(json, "row_of");
    for (enum rows_alike way = ROWS_SAME_COPY; way <= ROWS_SAME_NODE; way++) {
        struct alike alike = find_alike(stacks, way);
        json_open_field(json, ways[way]);
        for (enum rows_key key = ROWS_FUNCTIONS + 1; key < ROWS_KEYS; key++) {
            const struct rows *rows = report_rows(view->report, key);
            if (rows_keys[key].alike != way || !rows->count)
                continue;
            json_open_list_field(json, rows_keys[key].plural);
            print_rows(json, stacks, &alike, rows->of_node);
            json_close_list(json);
        }
        json_close(json);
        free(alike.of_node);
    }
    json_open_list_field(json, "around");
    const struct rows *loops = report_rows(view->report, ROWS_LOOPS);
    for (size_t i = 0; i < loops->count; i++)
        json_signed(json, page_number(loops->outer[i]));
    json_close_list(json);
    json_close(json);
}

static const struct datacolumns_column load_columns[] = {
    DATACOLUMNS_NAMED("row", shares_entry, owner),
    DATACOLUMNS_NAMED("worker", shares_entry, bin),
    DATACOLUMNS_MEMBER(shares_entry, count),
    {0}};

static const struct datacolumns_column row_columns[] = {
    DATACOLUMNS_MEMBER(spread_load, total),
    DATACOLUMNS_MEMBER(spread_load, least),
    DATACOLUMNS_MEMBER(spread_load, most),
    DATACOLUMNS_NAMED("at", spread_load, busiest),
    DATACOLUMNS_MEMBER(spread_load, certain),
    {0}};

/* Returns the name of a worker, `rank 3, host' or `thread 3'. The caller frees it. */
static char *worker_name(const struct view *view, uint32_t worker)
{
    const struct spread *spread = report_spread(view->report);
    bool ranks = spread->over == SPREAD_RANKS;
    const struct spread_worker *entry = &spread->workers[worker];
    const char *host = ranks && !entry->moved
                           ? origins_host(&view->profile->origins, entry->origin)
                           : NULL;
    return buf_format("%s %" PRIu64 "%s%s", ranks ? "rank" : "thread", entry->number,
                      host ? ", " : "", host ? host : "");
}

static void print_loads(struct page_data *data)
{
    const struct packed *loads = &report_spread(data->view->report)->loads;
    struct shares all = {0}, scratch = {0};
    for (uint32_t row = 0; row < loads->owners; row++) {
        struct shares_own owned = packed_of(loads, row, &scratch);
        for (size_t i = 0; i < owned.count; i++)
            shares_add(&all, row, owned.entries[i].bin, owned.entries[i].count);
    }
    datacolumns_print(&data->columns, "loads", data, all.entries, all.count,
                      load_columns);
    shares_free(&all);
    shares_free(&scratch);
}

void page_load_print(struct page_data *data)
{
    const struct view *view = data->view;
    const struct spread *spread = report_spread(view->report);
    struct json *json = &data->columns.json;
    if (!spread->over)
        return;
    json_open_field(json, "load");
    json_text_field(json, "over", spread->over == SPREAD_RANKS ? "ranks" : "threads");
    json_open_list_field(json, "workers");
    for (uint32_t i = 0; i < spread->count; i++) {
        BUF_OWN char *name = worker_name(view, i);
        json_text(json, name);
    }
    json_close_list(json);
    datacolumns_print(&data->columns, "rows", data, spread->self, view->rows->count,
                      row_columns);
    print_loads(data);
    json_close(json);
}
