/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes cells from the columns of a view, sorts rows by the column of -sort, and passes
   the visible columns and rows to sheet.c. */

#define _GNU_SOURCE
#include "mlprof/columns/table.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct table_value table_text(const char *text)
{
    if (!text)
        return table_null();
    BUF_OWN char *clean = text_clean(text);
    char *valid = utf8_valid(clean);
    return (struct table_value){.kind = TABLE_TEXT, .text = valid};
}

struct table_value table_text_freed(char *text)
{
    struct table_value value = table_text(text);
    free(text);
    return value;
}

struct table_value table_integer(uint64_t value)
{
    return (struct table_value){.kind = TABLE_INTEGER, .integer = value};
}

struct table_value table_number(double value)
{
    return (struct table_value){.kind = TABLE_NUMBER, .number = value};
}

struct table_value table_bool(bool value)
{
    return (struct table_value){.kind = TABLE_BOOL, .integer = value};
}

struct table_value table_null(void)
{
    return (struct table_value){.kind = TABLE_NULL};
}

struct table_value table_integer_if(bool known, uint64_t value)
{
    return known ? table_integer(value) : table_null();
}

struct table_value table_number_if(bool known, double value)
{
    return known && isfinite(value) ? table_number(value) : table_null();
}

void table_release(struct table_value value)
{
    free(value.text);
}

struct table_value table_value_at(const struct table *table,
                                  const struct table_column *column, const void *row)
{
    return column->value(table->of, row, column->which);
}

char *table_cell_at(const struct table *table, const struct table_column *column,
                    const void *row)
{
    if (column->cell)
        return column->cell(table->of, row, column->which);
    struct table_value value = table_value_at(table, column, row);
    return value.kind == TABLE_INTEGER ? text_commas((double)value.integer, 0)
           : value.kind == TABLE_TEXT  ? value.text
                                       : buf_copy("-");
}

char *table_name_at(const struct table *table, const void *row)
{
    struct sheet sheet = {0};
    table->view->names.put(table->of, &sheet, row);
    return sheet_text(&sheet);
}

void table_add(struct table *table, const void *row)
{
    BUF_NEXT(table->rows, table->count, table->capacity) = row;
}

/* A row during sorting; its value is computed only once. */
struct sorted {
    const struct table_column *by;
    struct table_value value;
    const void *row;
    size_t number;
};

/* Returns the number that rows are sorted by; 0 if it is unknown. */
static double size_of(const struct table_value *value)
{
    return value->kind == TABLE_INTEGER  ? (double)value->integer
           : value->kind == TABLE_NUMBER ? value->number
                                         : 0;
}

static int compare(const void *one, const void *other)
{
    const struct sorted *a = one, *b = other;
    double x = size_of(&a->value), y = size_of(&b->value);
    int order = a->by->order                     ? a->by->order(a->row, b->row)
                : a->value.text && b->value.text ? strcmp(a->value.text, b->value.text)
                                                 : (x < y) - (x > y);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

bool table_sorts(const struct table_view *view, unsigned sort)
{
    for (const struct table_column *column = view->columns; table_is_column(column);
         column++)
        if (sort ? column->sort == sort : column->sort)
            return true;
    return false;
}

bool table_sort(struct table *table, unsigned sort)
{
    const struct table_column *by = table->view->columns;
    while (table_is_column(by) &&
           (by->sort != sort || (by->present && !by->present(table->of, by->which))))
        by++;
    if (!sort || !table_is_column(by))
        return false;
    if (!table->count)
        return true;
    BUF_OWN struct sorted *list = buf_alloc(table->count * sizeof *list);
    for (size_t i = 0; i < table->count; i++)
        list[i] = (struct sorted){
            by, by->order ? table_null() : table_value_at(table, by, table->rows[i]),
            table->rows[i], i};
    BUF_SORT(list, table->count, compare);
    for (size_t i = 0; i < table->count; i++) {
        table->rows[i] = list[i].row;
        table_release(list[i].value);
    }
    return true;
}

void table_free(struct table *table)
{
    free(table->rows);
    if (table->release)
        table->release(table->own);
    *table = (struct table){0};
}

/* Prints tables on the terminal. */

/* Maximum number of rows in a file, and minimum number of rows on a terminal. */
#define FILE_ROWS 20
#define LEAST     5

/* The number of lines on a terminal that are not rows: the title and the headings
   above the rows; an empty line between two lines about omitted rows and about
   accuracy; and the shell's prompt. */
#define AROUND 7

const struct table_column **table_shown(const struct table *table, size_t *count)
{
    const struct table_column **shown = NULL;
    size_t capacity = 0;
    *count = 0;
    for (const struct table_column *column = table->view->columns;
         table_is_column(column); column++) {
        if ((!column->head && !column->head_of) ||
            (column->present && !column->present(table->of, column->which)))
            continue;
        BUF_NEXT(shown, *count, capacity) = column;
    }
    return shown;
}

const char *table_head(const struct table *table, const struct table_column *column)
{
    return column->head_of ? column->head_of(table->of, column->which) : column->head;
}

static size_t terminal_room(FILE *out)
{
    size_t lines = terminal_lines(out);
    return lines > AROUND + LEAST ? lines - AROUND : lines ? LEAST : 0;
}

void table_cut(struct table *table, size_t top)
{
    table->fits = top == TABLE_FITS;
    if (table->fits)
        top = terminal_room(stdout) ? terminal_room(stdout) : FILE_ROWS;
    /* If one more row would fit, show it instead of a line about it. */
    top += table->fits;
    if (!top || top >= table->count)
        return;
    top -= table->fits;
    table->cut = table->count - top;
    table->count = top;
}

/* Prints the number of rows after the first PRINTED rows, and an upper bound of their
   shares, rounded up to a tenth of a percent. */
static void print_more(FILE *out, const struct table *table, size_t printed)
{
    size_t all = table->count + table->cut;
    double most = 0;
    if (printed == all)
        return;
    for (size_t i = printed; table->view->share && i < all; i++)
        most = fmax(most, table->view->share(table->of, table->rows[i]));
    BUF_OWN char *rows = text_number(all - printed, "more row");
    fputs(rows, out);
    if (table->view->share)
        fprintf(out, " with self below %.1f %%", floor(10 * most + 1) / 10);
    fputs(": -top 0\n", out);
}

void table_print(FILE *out, const struct table *table, bool mlton)
{
    const struct table_series *series = &table->view->series;
    size_t count, more = series->count ? series->count(table->of) : 0;
    BUF_OWN const struct table_column **shown = table_shown(table, &count);
    struct sheet sheet = {0};
    for (size_t c = 0; c < count; c++) {
        sheet_column(&sheet, table_head(table, shown[c]), shown[c]->side,
                     2 * shown[c]->mlton + 1);
        if (shown[c]->drop_rank)
            sheet_set_drop_rank(&sheet, shown[c]->drop_rank);
    }
    for (size_t i = 0; i < more; i++)
        sheet_column(&sheet, series->head(table->of, i), SHEET_NUMBER, 1);
    const struct table_names *names = &table->view->names;
    sheet_column(&sheet, names->head ? names->head : names->head_of(table->of, 0),
                 SHEET_TEXT, 2 * table->view->names_mlton);
    for (size_t r = 0; r < table->count; r++) {
        if (table->view->tone)
            sheet_tone(&sheet, table->view->tone(table->of, table->rows[r]));
        for (size_t c = 0; c < count; c++)
            sheet_put(&sheet, table_cell_at(table, shown[c], table->rows[r]));
        for (size_t i = 0; i < more; i++)
            sheet_put(&sheet, series->cell(table->of, table->rows[r], i));
        names->put(table->of, &sheet, table->rows[r]);
    }
    sheet.lines = table->fits ? terminal_room(out) : 0;
    sheet.heights = table->heights;
    size_t printed = sheet_print(out, &sheet, mlton);
    if (table->fits || table->counts)
        print_more(out, table, printed);
}
