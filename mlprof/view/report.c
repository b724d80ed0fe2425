/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/report.h"
#include "mlprof/view/rows-table.h"
#include "mlprof/view/views.h"

/* Whether a row is shown.  Without stacks, a row that was never the innermost has no
   number.  */
static bool is_shown(const struct view *view, const struct rows_row *row)
{
    return (row->cur || row->counted || row->blocks || view->rows->stack) &&
           view_reaches(view, row->cur) && view_keeps(view, row);
}

bool report_print(FILE *out, const struct view *view)
{
    bool mlton = view->style.mlton;
    struct table table;
    rows_table_make(&table, view, view->rows, mlton);
    for (size_t i = 0; i < view->rows->count; i++)
        if (is_shown(view, &view->rows->rows[i]))
            table_add(&table, &view->rows->rows[i]);
    bool sorted = table_sort(&table, view->style.order);
    table.count = view_top(view, table.count);
    bool marked = !sorted && !mlton && rows_table_mark(&table);
    table_print(out, &table, mlton);
    table_free(&table);
    return marked;
}

static void fill_functions(struct table *table, const struct view *view,
                           const struct pattern *asked)
{
    rows_table_make(table, view, view->rows, false);
    for (size_t i = 0; i < view->rows->count; i++)
        if (view_is_asked(view, asked, &view->rows->rows[i]))
            table_add(table, &view->rows->rows[i]);
}

static void fill_groups(struct table *table, const struct view *view,
                        const struct pattern *asked)
{
    (void)asked;
    if (!view->grouped)
        return;
    rows_table_make(table, view, view->grouped, false);
    for (size_t i = 0; i < view->grouped->count; i++)
        table_add(table, &view->grouped->rows[i]);
}

/* The tables of functions and of -by.  Both are printed by show.c, with report_print and
   what stands around a table.  */
const struct views_entry report_functions = {
    .name = "table",
    .takes = VIEWS_NO_OPTION,
    .goes_by = VIEWS_BY_COPIES VIEWS_BY_ROWS "branch by keep merge-builds raw show-line",
    .columns = &rows_table_functions,
    .data = {{&rows_table_functions, fill_functions, 1}},
    .head = view_header,
    .timed = true,
};

const struct views_entry report_groups = {
    .name = "by",
    .takes = VIEWS_NO_OPTION,
    .goes_by = VIEWS_BY_SAMPLES VIEWS_BY_ROWS "by merge-builds raw",
    .columns = &rows_table_groups,
    .data = {{&rows_table_groups, fill_groups, 2}},
    .head = view_header,
    .timed = true,
};
