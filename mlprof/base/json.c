/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* The second byte may not make a character that fewer bytes are for, a surrogate, or one
   above U+10FFFF (RFC 3629).  */
static bool goes_with(unsigned char first, unsigned char second)
{
    unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= least && second <= most;
}

/* How many bytes of UTF-8 there are for the next character; 0 if it is none.  */
static size_t character(const unsigned char *text)
{
    size_t length = text[0] < 0x80   ? 1
                    : text[0] < 0xc2 ? 0
                    : text[0] < 0xe0 ? 2
                    : text[0] < 0xf0 ? 3
                    : text[0] < 0xf5 ? 4
                                     : 0;
    if (length > 1 && !goes_with(text[0], text[1]))
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

void json_print(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    putc('"', out);
    while (*at) {
        size_t length = character(at);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (*at < ' ' || *at == 0x7f)
            fprintf(out, "\\u%04x", *at);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else
            fwrite(at, 1, length, out);
        at += length ? length : 1;
    }
    putc('"', out);
}

/* What stands before a value, or before the name of a field.  */
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

/* 17 digits tell any two apart (IEEE 754); fewer where they do.  */
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

static void close_with(struct json *json, char bracket)
{
    putc(bracket, json->out);
    json->any = true;
}

void json_open(struct json *json)
{
    open_with(json, '{');
}

void json_close(struct json *json)
{
    close_with(json, '}');
}

void json_open_list(struct json *json)
{
    open_with(json, '[');
}

void json_close_list(struct json *json)
{
    close_with(json, ']');
}

void json_text_field(struct json *json, const char *name, const char *text)
{
    json_name(json, name);
    json_text(json, text);
}

void json_number_field(struct json *json, const char *name, double value)
{
    json_name(json, name);
    json_number(json, value);
}

void json_unsigned_field(struct json *json, const char *name, uint64_t value)
{
    json_name(json, name);
    json_unsigned(json, value);
}

void json_signed_field(struct json *json, const char *name, int64_t value)
{
    json_name(json, name);
    json_signed(json, value);
}

void json_bool_field(struct json *json, const char *name, bool value)
{
    json_name(json, name);
    json_bool(json, value);
}

void json_null_field(struct json *json, const char *name)
{
    json_name(json, name);
    json_null(json);
}

void json_open_field(struct json *json, const char *name)
{
    json_name(json, name);
    json_open(json);
}

void json_open_list_field(struct json *json, const char *name)
{
    json_name(json, name);
    json_open_list(json);
}
