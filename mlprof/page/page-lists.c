/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the list of branches, with the rows and columns of -branches. */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>

/* A row of the table: a decision. */
struct listed {
    const void *decision;
};

static const struct decision *decision_of(const struct listed *row)
{
    return row->decision;
}

/* The text after the position. */
static int64_t behind(struct page_data *data, const struct decision *decision)
{
    BUF_OWN char *nth = decisions_nth_text(decision);
    return datacolumns_text_of(&data->columns,
                               decision->line && decision->column
                                   ? buf_format(":%" PRIu32 "%s", decision->column, nth)
                                   : buf_copy(nth));
}

PAGE_VALUE(listed_name, listed,
           datacolumns_text_of(&data->columns,
                               view_name(data->view, decision_of(row)->function)))
PAGE_VALUE(listed_function, listed, decision_of(row)->function - data->view->rows->rows)
PAGE_VALUE(listed_file, listed, page_file(data, decision_of(row)->file))
PAGE_VALUE(listed_line, listed, decision_of(row)->line)
PAGE_VALUE(listed_behind, listed, behind(data, decision_of(row)))

static const struct datacolumns_column listed_columns[] = {
    {"name", .value = listed_name},     {"function", .value = listed_function},
    {"file", .value = listed_file},     {"line", .value = listed_line},
    {"behind", .value = listed_behind}, {0}};

void page_lists_print(struct page_data *data)
{
    const struct view *shown = data->view;
    struct view view = *shown;
    struct json *json = &data->columns.json;
    struct table table;
    BUF_OWN bool *selected = view_select_rows(shown, NULL);
    view.style.mlton = false;
    view.style.order = VIEW_CUR; /* the list's own order */
    data->view = &view;
    json_open_field(json, "lists");
    size_t left_out = branches_make(&table, &view, selected, true);
    if (table.count) {
        branches_sort(&table, view.style.order);
        json_open_field(json, "branches");
        json_unsigned_field(json, "unreached", left_out);
        json_unsigned_field(json, "decisions", branches_total(&table));
        json_name(json, "columns");
        table_print_page(json, &table);
        datacolumns_print(&data->columns, "rows", data, table.rows, table.count,
                          listed_columns);
        json_close(json);
    }
    table_free(&table);
    json_close(json);
    data->view = shown;
}
