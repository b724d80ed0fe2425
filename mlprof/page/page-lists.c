/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the list of branches, with the rows and columns of -branches. */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>

/* The fields of a row in addition to the table's columns. */
struct listed {
    char *name;   /* printing frees it */
    uint32_t row; /* row of the function, or STACKS_NONE */
    const char *file;
    uint32_t line;
    char *behind; /* text after the position, or NULL; printing frees it */
};

PAGE_VALUE(listed_name, listed, datacolumns_text_of(&data->columns, row->name))
PAGE_VALUE(listed_row, listed, page_number(row->row))
PAGE_VALUE(listed_file, listed, page_files_put(&data->files, row->file))
PAGE_VALUE(listed_line, listed, row->line)
PAGE_VALUE(listed_behind, listed, datacolumns_text_of(&data->columns, row->behind))

static const struct datacolumns_column listed_columns[] = {
    {"name", listed_name}, {"function", listed_row},  {"file", listed_file},
    {"line", listed_line}, {"behind", listed_behind}, {0}};

static struct listed listed_branch(const struct view *view,
                                   const struct decision *decision)
{
    const struct rows_row *function = decision->function;
    char *nth = decisions_nth_text(decision);
    char *behind = decision->line && decision->column
                       ? buf_format(":%" PRIu32 "%s", decision->column, nth)
                       : buf_copy(nth);
    free(nth);
    return (struct listed){.name = view_name(view, function),
                           .row = (uint32_t)(function - view->rows->rows),
                           .file = decision->file,
                           .line = decision->line,
                           .behind = behind};
}

/* Prints TABLE. LIST has the positions of its rows. Frees both. */
static void print_table(struct page_data *data, struct table *table, struct listed *list)
{
    json_name(&data->columns.json, "columns");
    table_print_page(&data->columns.json, table);
    datacolumns_print(&data->columns, "rows", data, list, table->count, listed_columns);
    free(list);
    table_free(table);
}

static void print_branches(struct page_data *data, const struct view *view)
{
    struct json *json = &data->columns.json;
    bool *selected = view_select_rows(view, NULL);
    struct table table;
    size_t left_out = branches_make(&table, view, selected, true);
    free(selected);
    if (!table.count) {
        table_free(&table);
        return;
    }
    branches_sort(&table, view->style.order);
    struct listed *list = buf_alloc((table.count + 1) * sizeof *list);
    for (size_t i = 0; i < table.count; i++)
        list[i] = listed_branch(view, table.rows[i]);
    json_open_field(json, "branches");
    json_unsigned_field(json, "unreached", left_out);
    json_unsigned_field(json, "decisions", branches_total(&table));
    print_table(data, &table, list);
    json_close(json);
}

void page_lists_print(struct page_data *data)
{
    struct view view = *data->view;
    view.style.mlton = false;
    view.style.order = VIEW_CUR; /* the list's own order */
    json_open_field(&data->columns.json, "lists");
    print_branches(data, &view);
    json_close(&data->columns.json);
}
