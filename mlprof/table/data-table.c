/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints tables for programs: as JSON and as CSV.  */

#include "mlprof/table/table.h"

#include <inttypes.h>
#include <string.h>

static void print_json_value(struct json *json, const struct table_value *value)
{
    switch (value->kind) {
    case TABLE_NULL:
        json_null(json);
        break;
    case TABLE_TEXT:
        json_text(json, value->text);
        break;
    case TABLE_INTEGER:
        json_unsigned(json, value->integer);
        break;
    case TABLE_NUMBER:
        json_number(json, value->number);
        break;
    case TABLE_BOOL:
        json_bool(json, value->integer);
        break;
    }
}

bool table_in_data(const struct table *table, const struct table_column *column)
{
    return column->id && (!column->in_data || column->in_data(table->of));
}

void table_print_json(struct json *json, const struct table *table)
{
    json_open_list(json);
    for (size_t r = 0; r < table->count; r++) {
        json_open(json);
        for (const struct table_column *column = table->view->columns;
             table_is_column(column); column++) {
            if (!table_in_data(table, column))
                continue;
            struct table_value value = table_value_at(table, column, table->rows[r]);
            json_name(json, column->id);
            print_json_value(json, &value);
            table_release(value);
        }
        json_close(json);
    }
    json_close_list(json);
}

static void print_csv_text(FILE *out, const char *text)
{
    if (!*text || text[strcspn(text, ",\"\r\n")]) {
        putc('"', out);
        for (; *text; text++) {
            if (*text == '"')
                putc('"', out);
            putc(*text, out);
        }
        putc('"', out);
    } else {
        fputs(text, out);
    }
}

static void print_csv_value(FILE *out, const struct table_value *value)
{
    struct json number = {.out = out};
    switch (value->kind) {
    case TABLE_NULL:
        break;
    case TABLE_TEXT:
        print_csv_text(out, value->text);
        break;
    case TABLE_INTEGER:
        fprintf(out, "%" PRIu64, value->integer);
        break;
    case TABLE_NUMBER:
        json_number(&number, value->number);
        break;
    case TABLE_BOOL:
        fputs(value->integer ? "true" : "false", out);
        break;
    }
}

void table_print_csv(FILE *out, const struct table *table)
{
    const char *between = "";
    for (const struct table_column *column = table->view->columns;
         table_is_column(column); column++)
        if (table_in_data(table, column)) {
            fprintf(out, "%s%s", between, column->id);
            between = ",";
        }
    fputs("\r\n", out);
    for (size_t r = 0; r < table->count; r++) {
        between = "";
        for (const struct table_column *column = table->view->columns;
             table_is_column(column); column++) {
            if (!table_in_data(table, column))
                continue;
            struct table_value value = table_value_at(table, column, table->rows[r]);
            fputs(between, out);
            print_csv_value(out, &value);
            table_release(value);
            between = ",";
        }
        fputs("\r\n", out);
    }
}
