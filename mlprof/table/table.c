/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/table/table.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/base/utf8.h"

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
    return column->value_of ? column->value_of(table->of, row, column->which)
                            : column->value(table->of, row);
}

char *table_cell_at(const struct table *table, const struct table_column *column,
                    const void *row)
{
    if (column->cell_of)
        return column->cell_of(table->of, row, column->which);
    if (column->cell)
        return column->cell(table->of, row);
    struct table_value value = table_value_at(table, column, row);
    return value.kind == TABLE_INTEGER ? text_commas((double)value.integer, 0)
           : value.kind == TABLE_TEXT  ? value.text
                                       : buf_copy("-");
}

void table_add(struct table *table, const void *row)
{
    BUF_NEXT(table->rows, table->count, table->capacity) = row;
}

/* A row while rows are sorted, so that its value is made only once.  */
struct sorted {
    const struct table_column *by;
    struct table_value value;
    const void *row;
    size_t number;
};

/* The number by which rows are sorted; 0 if it is unknown.  */
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
           (by->sort != sort || (by->there && !by->there(table->of))))
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
