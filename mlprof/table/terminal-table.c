/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints tables for people.  */

#include "mlprof/table/table.h"

#include <assert.h>

/* The columns that are shown, by their places; returns how many.  */
static size_t find_shown(const struct table *table,
                         const struct table_column *shown[SHEET_MOST])
{
    size_t count = 0;
    for (const struct table_column *column = table->view->columns;
         table_is_column(column); column++) {
        if (!column->head || (column->there && !column->there(table->of)))
            continue;
        assert(count + 1 < SHEET_MOST);
        size_t at = count++;
        for (; at && shown[at - 1]->place > column->place; at--)
            shown[at] = shown[at - 1];
        shown[at] = column;
    }
    return count;
}

void table_print(FILE *out, const struct table *table, bool mlton)
{
    const struct table_column *shown[SHEET_MOST];
    size_t count = find_shown(table, shown);
    struct sheet sheet = {0};
    for (size_t c = 0; c < count; c++) {
        sheet_column(&sheet, shown[c]->head, SHEET_NUMBER, 1);
        if (shown[c]->gives_way)
            sheet_gives_way(&sheet);
    }
    sheet_column(&sheet, table->view->names.head(table->of), SHEET_TEXT, 0);
    for (size_t r = 0; r < table->count; r++) {
        for (size_t c = 0; c < count; c++)
            sheet_put(&sheet, shown[c]->cell(table->of, table->rows[r]));
        table->view->names.put(table->of, &sheet, table->rows[r]);
    }
    sheet_print(out, &sheet, mlton);
}
