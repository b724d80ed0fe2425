/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints tables on the terminal.  */

#include "mlprof/table/table.h"

#include <assert.h>

size_t table_shown(const struct table *table,
                   const struct table_column *shown[SHEET_MOST])
{
    size_t count = 0;
    for (const struct table_column *column = table->view->columns;
         table_is_column(column); column++) {
        if (!column->cell || (column->there && !column->there(table->of)))
            continue;
        assert(count + 1 < SHEET_MOST);
        size_t at = count++;
        for (; at && shown[at - 1]->place > column->place; at--)
            shown[at] = shown[at - 1];
        shown[at] = column;
    }
    return count;
}

const char *table_head_function(const void *of)
{
    (void)of;
    return "function";
}

const char *table_head(const struct table *table, const struct table_column *column)
{
    return column->head_of ? column->head_of(table->of) : column->head;
}

void table_print(FILE *out, const struct table *table, bool mlton)
{
    const struct table_column *shown[SHEET_MOST];
    const struct table_series *series = &table->view->series;
    size_t count = table_shown(table, shown),
           more = series->count ? series->count(table->of) : 0;
    struct sheet sheet = {0};
    for (size_t c = 0; c < count; c++) {
        sheet_column(&sheet, table_head(table, shown[c]), shown[c]->side,
                     2 * shown[c]->mlton + 1);
        if (shown[c]->gives_way)
            sheet_gives_way(&sheet, shown[c]->gives_way);
    }
    for (size_t i = 0; i < more; i++)
        sheet_column(&sheet, series->head(table->of, i), SHEET_NUMBER, 1);
    sheet_column(&sheet, table->view->names.head(table->of), SHEET_TEXT,
                 2 * table->view->names_mlton);
    for (size_t r = 0; r < table->count; r++) {
        if (table->view->tone)
            sheet_tone(&sheet, table->view->tone(table->of, table->rows[r]));
        for (size_t c = 0; c < count; c++)
            sheet_put(&sheet, shown[c]->cell(table->of, table->rows[r]));
        for (size_t i = 0; i < more; i++)
            sheet_put(&sheet, series->cell(table->of, table->rows[r], i));
        table->view->names.put(table->of, &sheet, table->rows[r]);
    }
    sheet_print(out, &sheet, mlton);
}
