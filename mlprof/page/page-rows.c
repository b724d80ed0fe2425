/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/page/page-inside.h"

static int64_t full_name(struct page_data *data, const struct rows_row *row)
{
    const struct names_style style = {.long_name = true, .form = NAMES_FULL};
    return datacolumns_text_of(&data->columns, names_of(&row->source, &style));
}

static int64_t place(struct page_data *data, const struct rows_row *row)
{
    return row->place ? datacolumns_text_of(&data->columns, text_plain(row->place))
                      : DATACOLUMNS_NONE;
}

static int64_t each(struct page_data *data, const struct rows_row *row)
{
    return view_has_costs(data->view)
               ? datacolumns_text_of(&data->columns, view_cost(data->view, row))
               : DATACOLUMNS_NONE;
}

static int64_t file(struct page_data *data, const struct rows_row *row)
{
    return page_files_put(&data->files, row->source.directory, row->source.file);
}

PAGE_VALUE(row_name, rows_row,
           datacolumns_text_of(&data->columns, view_name(data->view, at)))
PAGE_VALUE(row_full, rows_row, full_name(data, at))
PAGE_VALUE(row_symbol, rows_row, datacolumns_text(&data->columns, at->source.symbol))
PAGE_VALUE(row_place, rows_row, place(data, at))
PAGE_VALUE(row_file, rows_row, file(data, at))
PAGE_VALUE(row_line, rows_row, at->source.line)
PAGE_VALUE(row_column, rows_row, at->source.column)
PAGE_VALUE(row_branch, rows_row, at->branch)
PAGE_VALUE(row_cur, rows_row, at->no_cur ? DATACOLUMNS_NONE : (int64_t)at->cur)
PAGE_VALUE(row_stack, rows_row, at->no_stack ? DATACOLUMNS_NONE : (int64_t)at->stack)
PAGE_VALUE(row_within, rows_row, at->within)
PAGE_VALUE(row_less, rows_row, at->uncertainty.less)
PAGE_VALUE(row_more, rows_row, at->uncertainty.more)
PAGE_VALUE(row_calls, rows_row, at->counted ? (int64_t)at->calls : DATACOLUMNS_NONE)
PAGE_VALUE(row_each, rows_row, each(data, at))
PAGE_VALUE(row_bytes, rows_row, at->no_bytes ? DATACOLUMNS_NONE : (int64_t)at->bytes)
PAGE_VALUE(row_blocks, rows_row, at->no_bytes ? DATACOLUMNS_NONE : (int64_t)at->blocks)
PAGE_VALUE(row_insns, rows_row, at->code.insns)
PAGE_VALUE(row_code, rows_row, at->code.bytes)

/* The columns that all rows have.  */
#define MEASURES                                                                         \
    {"name", row_name}, {"file", row_file}, {"line", row_line}, {"column", row_column},  \
        {"cur", row_cur}, {"stack", row_stack}, {"less", row_less}, {"more", row_more},  \
        {"calls", row_calls}, {"each", row_each}, {"bytes", row_bytes},                  \
    {                                                                                    \
        "blocks", row_blocks                                                             \
    }

static const struct datacolumns_column function_columns[] = {
    MEASURES, {"full", row_full}, {"symbol", row_symbol}, {"branch", row_branch}, {0}};

static const struct datacolumns_column group_columns[] = {MEASURES,
                                                          {"place", row_place},
                                                          {"within", row_within},
                                                          {"insns", row_insns},
                                                          {"code", row_code},
                                                          {0}};

static const char *const names[ROWS_KEYS] = {[ROWS_FUNCTIONS] = "functions",
                                             [ROWS_COPIES] = "copies",
                                             [ROWS_LINES] = "lines",
                                             [ROWS_FILES] = "files",
                                             [ROWS_EXPRESSIONS] = "expressions",
                                             [ROWS_LOOPS] = "loops",
                                             [ROWS_MODULES] = "modules",
                                             [ROWS_PHASES] = "phases",
                                             [ROWS_THREADS] = "threads",
                                             [ROWS_RANKS] = "ranks",
                                             [ROWS_MPI] = "calls of MPI",
                                             [ROWS_TYPES] = "types"};

const char *page_rows_name(enum rows_key key)
{
    return names[key];
}

void page_rows_print(struct page_data *data)
{
    const struct view *view = data->view;
    struct json *json = &data->columns.json;
    datacolumns_print(&data->columns, "functions", data, view->rows->rows,
                      view->rows->count, function_columns);
    json_text_field(json, "by",
                    names[view->grouped ? view->grouped->key : ROWS_FUNCTIONS]);
    json_open_field(json, "groups");
    for (enum rows_key key = ROWS_FUNCTIONS + 1; view->groups && key < ROWS_KEYS; key++) {
        struct view grouped = *view;
        grouped.rows = &view->groups[key];
        data->view = &grouped;
        if (grouped.rows->count)
            datacolumns_print(&data->columns, names[key], data, grouped.rows->rows,
                              grouped.rows->count, group_columns);
    }
    data->view = view;
    json_close(json);
    /* The totals that shares are of.  */
    json_open_field(json, "totals");
    json_unsigned_field(json, names[ROWS_FUNCTIONS], view->rows->total);
    for (enum rows_key key = ROWS_FUNCTIONS + 1; view->groups && key < ROWS_KEYS; key++)
        json_unsigned_field(json, names[key], view->groups[key].total);
    json_close(json);
}
