/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints tables for the page: the columns that a terminal has, too.  */

#include "mlprof/table/table.h"

#include <stdlib.h>

/* What rows are sorted by in the page.  */
static void print_value(struct json *json, const struct table_value *value)
{
    if (value->kind == TABLE_INTEGER)
        json_unsigned(json, value->integer);
    else if (value->kind == TABLE_NUMBER)
        json_number(json, value->number);
    else
        json_null(json);
}

static void print_values(struct json *json, const struct table *table,
                         const struct table_column *column)
{
    json_open_list_field(json, "values");
    for (size_t r = 0; r < table->count; r++) {
        struct table_value value = column->value(table->of, table->rows[r]);
        print_value(json, &value);
        table_release(value);
    }
    json_close_list(json);
}

static void print_texts(struct json *json, const struct table *table,
                        const struct table_column *column)
{
    json_open_list_field(json, "texts");
    for (size_t r = 0; r < table->count; r++) {
        char *text = column->cell(table->of, table->rows[r]);
        json_text(json, text);
        free(text);
    }
    json_close_list(json);
}

void table_print_page(struct json *json, const struct table *table)
{
    const struct table_column *shown[SHEET_MOST];
    size_t count = table_shown(table, shown);
    json_open_list(json);
    for (size_t c = 0; c < count; c++) {
        if (!shown[c]->value)
            continue;
        const char *head = table_head(table, shown[c]);
        json_open(json);
        json_text_field(json, "id", shown[c]->id ? shown[c]->id : head);
        json_text_field(json, "head", head);
        json_text_field(json, "means", shown[c]->means);
        print_values(json, table, shown[c]);
        print_texts(json, table, shown[c]);
        json_close(json);
    }
    json_close_list(json);
}
