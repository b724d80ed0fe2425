/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/report.h"
#include "mlprof/buf.h"
#include "mlprof/layout.h"

#include <stdlib.h>

/* Without stacks a row that was never the innermost has no number to show.  */
static bool is_shown(const struct view *view, const struct rows_row *row)
{
    return (row->cur || view->profile->stack) && view_reaches(view, row->cur);
}

void report_print(FILE *out, const struct view *view)
{
    const struct rows *rows = view->rows;
    const char *heads[1 + VIEW_COLUMNS] = {"function"};
    size_t columns = 1 + view_heads(view, heads + 1), count = 0;
    char **cells = buf_alloc((rows->count * columns + 1) * sizeof *cells);

    for (size_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        if (!is_shown(view, row))
            continue;
        cells[count] = view_label(view, row);
        view_cells(view, row, cells + count + 1);
        count += columns;
    }
    layout_print(out, heads, columns, cells, count / columns);
    for (size_t i = 0; i < count; i++)
        free(cells[i]);
    free(cells);
}
