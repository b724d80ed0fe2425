/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/report.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/layout.h"

#include <stdlib.h>

/* Without stacks a row that was never the innermost has no number to show.  */
static bool is_shown(const struct view *view, const struct rows_row *row)
{
    return (row->cur || row->counted || row->blocks || view->rows->stack) &&
           view_reaches(view, row->cur);
}

/* By stack; equal ones in the order that the rows have.  */
static int by_stack(const void *one, const void *other)
{
    const struct rows_row *a = *(const struct rows_row *const *)one;
    const struct rows_row *b = *(const struct rows_row *const *)other;
    if (a->stack != b->stack)
        return a->stack > b->stack ? -1 : 1;
    return (a > b) - (a < b);
}

/* The rows that are shown, in their order; COUNT says how many.  To be freed.  */
static const struct rows_row **shown_rows(const struct view *view, size_t *count)
{
    const struct rows *rows = view->rows;
    const struct rows_row **shown = buf_alloc((rows->count + 1) * sizeof *shown);
    *count = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (is_shown(view, &rows->rows[i]))
            shown[(*count)++] = &rows->rows[i];
    if (view->style.by_stack && view->rows->stack)
        qsort(shown, *count, sizeof *shown, by_stack);
    return shown;
}

void report_print(FILE *out, const struct view *view)
{
    const char *heads[1 + VIEW_COLUMNS] = {"function"};
    size_t columns = 1 + view_heads(view, heads + 1), count;
    const struct rows_row **rows = shown_rows(view, &count);
    char **cells = buf_alloc((count * columns + 1) * sizeof *cells), **cell = cells;

    for (size_t i = 0; i < count; i++, cell += columns) {
        cell[0] = view_label(view, rows[i]);
        view_cells(view, rows[i], cell + 1);
    }
    layout_print(out, heads, columns, cells, count);
    while (cell > cells)
        free(*--cell);
    free(cells);
    free(rows);
}
