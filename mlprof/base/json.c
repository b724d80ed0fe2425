/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/json.h"
#include "mlprof/base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void json_print(FILE *out, const char *text)
{
    putc('"', out);
    while (*text) {
        size_t length = utf8_length(text);
        uint32_t character = length ? utf8_decode(text, length) : 0;
        if (length == 0)
            fputs("\\ufffd", out);
        else if (character < ' ' || (character >= 0x7f && character < 0xa0))
            fprintf(out, "\\u%04x", (unsigned)character);
        else if (character == '"' || character == '\\')
            fprintf(out, "\\%c", (int)character);
        else
            fwrite(text, 1, length, out);
        text += length ? length : 1;
    }
    putc('"', out);
}

/* Prints the comma, if one is due, before a value or the name of a field.  */
static void separate(struct json *json)
{
    if (json->any && !json->named)
        fputs(", ", json->out);
    json->any = true;
    json->named = false;
}

void json_name(struct json *json, const char *name)
{
    separate(json);
    json_print(json->out, name);
    fputs(": ", json->out);
    json->named = true;
}

void json_null(struct json *json)
{
    separate(json);
    fputs("null", json->out);
}

void json_text(struct json *json, const char *text)
{
    if (!text) {
        json_null(json);
        return;
    }
    separate(json);
    json_print(json->out, text);
}

void json_unsigned(struct json *json, uint64_t value)
{
    separate(json);
    fprintf(json->out, "%" PRIu64, value);
}

void json_signed(struct json *json, int64_t value)
{
    separate(json);
    fprintf(json->out, "%" PRId64, value);
}

/* Prints the fewest digits, but at least 6, that are read back as VALUE.  17 digits are
   always enough (IEEE 754).  */
void json_number(struct json *json, double value)
{
    if (!isfinite(value)) {
        json_null(json);
        return;
    }
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    separate(json);
    fputs(text, json->out);
}

void json_bool(struct json *json, bool value)
{
    separate(json);
    fputs(value ? "true" : "false", json->out);
}

static void open_with(struct json *json, char bracket)
{
    separate(json);
    putc(bracket, json->out);
    json->any = false;
}

void json_open(struct json *json)
{
    open_with(json, '{');
}

void json_open_list(struct json *json)
{
    open_with(json, '[');
}

void json_close(struct json *json)
{
    putc('}', json->out);
    json->any = true;
}

void json_close_list(struct json *json)
{
    putc(']', json->out);
    json->any = true;
}

/* A field is its name and its value.  */
#define FIELD(kind, type)                                                                \
    void json_##kind##_field(struct json *json, const char *name, type value)            \
    {                                                                                    \
        json_name(json, name);                                                           \
        json_##kind(json, value);                                                        \
    }
FIELD(text, const char *)
FIELD(number, double)
FIELD(unsigned, uint64_t)
FIELD(signed, int64_t)
FIELD(bool, bool)

#define FIELD_OF_NONE(kind)                                                              \
    void json_##kind##_field(struct json *json, const char *name)                        \
    {                                                                                    \
        json_name(json, name);                                                           \
        json_##kind(json);                                                               \
    }
FIELD_OF_NONE(null)
FIELD_OF_NONE(open)
FIELD_OF_NONE(open_list)
