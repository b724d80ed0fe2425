/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints tables as JSON, as CSV and for the page: the columns of the terminal, single
   columns, or the meanings of columns. */

#include "mlprof/base/buf.h"
#include "mlprof/columns/table.h"

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

/* Returns whether the column is in CSV and JSON. */
static bool is_in_data(const struct table *table, const struct table_column *column)
{
    return column->id && (!column->in_data || column->in_data(table->of, column->which));
}

void table_print_json(struct json *json, const struct table *table)
{
    json_open_list(json);
    for (size_t r = 0; r < table->count; r++) {
        json_open(json);
        for (const struct table_column *column = table->view->columns;
             table_is_column(column); column++) {
            if (!is_in_data(table, column))
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
        if (is_in_data(table, column)) {
            fprintf(out, "%s%s", between, column->id);
            between = ",";
        }
    fputs("\r\n", out);
    for (size_t r = 0; r < table->count; r++) {
        between = "";
        for (const struct table_column *column = table->view->columns;
             table_is_column(column); column++) {
            if (!is_in_data(table, column))
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

/* Prints a number that the page sorts by or draws. A text is printed as null. */
static void print_value(struct json *json, const struct table_value *value)
{
    if (value->kind == TABLE_TEXT)
        json_null(json);
    else
        print_json_value(json, value);
}

static void print_values(struct json *json, const char *name, const struct table *table,
                         const struct table_column *column)
{
    json_open_list_field(json, name);
    for (size_t r = 0; r < table->count; r++) {
        struct table_value value = table_value_at(table, column, table->rows[r]);
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
        BUF_OWN char *text = table_cell_at(table, column, table->rows[r]);
        json_text(json, text);
    }
    json_close_list(json);
}

void table_print_page(struct json *json, const struct table *table)
{
    size_t count;
    BUF_OWN const struct table_column **shown = table_shown(table, &count);
    json_open_list(json);
    for (size_t c = 0; c < count; c++) {
        if (!shown[c]->value)
            continue;
        const char *head = table_head(table, shown[c]);
        json_open(json);
        json_text_field(json, "id", shown[c]->id ? shown[c]->id : head);
        json_text_field(json, "head", head);
        json_text_field(json, "means", shown[c]->means);
        json_bool_field(json, "of_texts", shown[c]->side == SHEET_TEXT);
        print_values(json, "values", table, shown[c]);
        print_texts(json, table, shown[c]);
        json_close(json);
    }
    json_close_list(json);
}

void table_print_columns(struct json *json, const struct table *table,
                         const struct table_page_column *columns)
{
    for (; columns->id; columns++)
        for (const struct table_column *c = table->view->columns; table_is_column(c); c++)
            if (c->id && strcmp(c->id, columns->id) == 0)
                print_values(json, columns->name, table, c);
}

/* Returns the name that the page uses for a column; NULL if the column has no meaning
   to print. */
static const char *page_name(const struct table_column *column)
{
    return !column->means ? NULL : column->id ? column->id : column->head;
}

/* Returns whether a later column has the same name on the page. This is possible
   because the head of a terminal column may be equal to the id of another column. */
static bool is_repeated_later(const struct table_column *column)
{
    for (const struct table_column *c = column + 1; table_is_column(c); c++)
        if (page_name(c) && strcmp(page_name(c), page_name(column)) == 0)
            return true;
    return false;
}

void table_print_meanings(struct json *json, const char *name,
                          const struct table_view *view)
{
    json_open_field(json, name);
    for (const struct table_column *c = view->columns; table_is_column(c); c++)
        if (page_name(c) && !is_repeated_later(c))
            json_text_field(json, page_name(c), c->means);
    json_close(json);
}
