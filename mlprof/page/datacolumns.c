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

void datacolumns_print(struct datacolumns *columns, const char *name, void *context,
                       const void *rows, size_t count,
                       const struct datacolumns_column *list)
{
    struct json *json = &columns->json;
    json_open_field(json, name);
    for (; list->name; list++) {
        json_open_list_field(json, list->name);
        for (size_t i = 0; i < count; i++)
            json_signed(json, list->value(context, rows, i));
        json_close_list(json);
    }
    json_close(json);
}

void datacolumns_print_texts(struct datacolumns *columns, const char *name)
{
    json_open_list_field(&columns->json, name);
    for (uint32_t i = 0; i < columns->texts.count; i++)
        json_text(&columns->json, intern_text(&columns->texts, i));
    json_close_list(&columns->json);
}

void datacolumns_free(struct datacolumns *columns)
{
    intern_free(&columns->texts);
}
