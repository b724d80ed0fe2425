/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a table column by column, and numbers its texts. */

#include "mlprof/page/datacolumns.h"

#include <stdlib.h>

int64_t datacolumns_text(struct datacolumns *columns, const char *text)
{
    return text ? intern_put(&columns->texts, text) : DATACOLUMNS_NONE;
}

int64_t datacolumns_text_of(struct datacolumns *columns, char *text)
{
    int64_t number = datacolumns_text(columns, text);
    free(text);
    return number;
}

static int64_t value_of(struct datacolumns *columns,
                        const struct datacolumns_column *column, void *context,
                        const void *rows, size_t number)
{
    const char *member = (const char *)rows + number * column->size + column->offset;
    if (column->value)
        return column->value(context, rows, number);
    switch (column->type) {
    case DATACOLUMNS_BYTE:
        return *(const bool *)member;
    case DATACOLUMNS_INT:
        return *(const uint32_t *)member;
    case DATACOLUMNS_LONG:
        return *(const int64_t *)member;
    default:
        return datacolumns_text(columns, *(char *const *)member);
    }
}

void datacolumns_print_lists(struct datacolumns *columns, void *context, const void *rows,
                             size_t count, const struct datacolumns_column *list)
{
    struct json *json = &columns->json;
    for (; list->name; list++) {
        json_open_list_field(json, list->name);
        for (size_t i = 0; i < count; i++)
            json_signed(json, value_of(columns, list, context, rows, i));
        json_close_list(json);
    }
}

void datacolumns_print(struct datacolumns *columns, const char *name, void *context,
                       const void *rows, size_t count,
                       const struct datacolumns_column *list)
{
    json_open_field(&columns->json, name);
    datacolumns_print_lists(columns, context, rows, count, list);
    json_close(&columns->json);
}

void datacolumns_print_texts(struct json *json, const char *name,
                             const struct intern *texts)
{
    json_open_list_field(json, name);
    for (uint32_t i = 0; i < texts->count; i++)
        json_text(json, intern_text(texts, i));
    json_close_list(json);
}
