/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/report.h"
#include "mlprof/view/rows-table.h"

/* Without stacks a row that was never the innermost has no number to show.  */
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
