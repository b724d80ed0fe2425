/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/datatable.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put(struct datatable *table, struct datatable_cell cell)
{
    table->cells =
        buf_grow(table->cells, &table->capacity, table->count + 1, sizeof *table->cells);
    table->cells[table->count++] = cell;
}

void datatable_text(struct datatable *table, const char *text)
{
    if (!text) {
        datatable_null(table);
        return;
    }
    char *clean = text_clean(text);
    put(table,
        (struct datatable_cell){.kind = DATATABLE_TEXT, .text = utf8_valid(clean)});
    free(clean);
}

void datatable_integer(struct datatable *table, uint64_t value)
{
    put(table, (struct datatable_cell){.kind = DATATABLE_INTEGER, .integer = value});
}

void datatable_number(struct datatable *table, double value)
{
    put(table, (struct datatable_cell){.kind = DATATABLE_NUMBER, .number = value});
}

void datatable_bool(struct datatable *table, bool value)
{
    put(table, (struct datatable_cell){.kind = DATATABLE_BOOL, .integer = value});
}

void datatable_null(struct datatable *table)
{
    put(table, (struct datatable_cell){.kind = DATATABLE_NULL});
}

void datatable_integer_if(struct datatable *table, bool known, uint64_t value)
{
    if (known)
        datatable_integer(table, value);
    else
        datatable_null(table);
}

static size_t width_of(const struct datatable *table)
{
    size_t width = 0;
    while (table->heads[width])
        width++;
    return width;
}

static void print_json_cell(struct json *json, const struct datatable_cell *cell)
{
    switch (cell->kind) {
    case DATATABLE_NULL:
        json_null(json);
        break;
    case DATATABLE_TEXT:
        json_text(json, cell->text);
        break;
    case DATATABLE_INTEGER:
        json_unsigned(json, cell->integer);
        break;
    case DATATABLE_NUMBER:
        json_number(json, cell->number);
        break;
    case DATATABLE_BOOL:
        json_bool(json, cell->integer);
        break;
    }
}

void datatable_print_json(struct json *json, const struct datatable *table)
{
    size_t width = width_of(table);
    json_open_list(json);
    for (size_t i = 0; i < table->count; i++) {
        if (i % width == 0)
            json_open(json);
        json_name(json, table->heads[i % width]);
        print_json_cell(json, &table->cells[i]);
        if (i % width == width - 1)
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

static void print_csv_cell(FILE *out, const struct datatable_cell *cell)
{
    struct json number = {.out = out};
    switch (cell->kind) {
    case DATATABLE_NULL:
        break;
    case DATATABLE_TEXT:
        print_csv_text(out, cell->text);
        break;
    case DATATABLE_INTEGER:
        fprintf(out, "%" PRIu64, cell->integer);
        break;
    case DATATABLE_NUMBER:
        json_number(&number, cell->number);
        break;
    case DATATABLE_BOOL:
        fputs(cell->integer ? "true" : "false", out);
        break;
    }
}

void datatable_print_csv(FILE *out, const struct datatable *table)
{
    size_t width = width_of(table);
    for (size_t i = 0; i < width; i++)
        fprintf(out, "%s%s", table->heads[i], i + 1 < width ? "," : "\r\n");
    for (size_t i = 0; i < table->count; i++) {
        print_csv_cell(out, &table->cells[i]);
        fputs(i % width < width - 1 ? "," : "\r\n", out);
    }
}

void datatable_free(struct datatable *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->cells);
    memset(table, 0, sizeof *table);
}
