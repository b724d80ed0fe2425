/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One part for each encoding: utf8_, markup_ (XML), base64_, json_ and protobuf_.
   Malformed UTF-8 in names becomes the replacement character, so that the output is
   always valid. */

#include "mlprof/base/encoding.h"
#include "mlprof/base/buf.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether SECOND may follow FIRST in UTF-8. False if they begin an overlong
   encoding, a surrogate, or a character above U+10FFFF (RFC 3629). */
static bool may_follow(unsigned char first, unsigned char second)
{
    unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= least && second <= most;
}

size_t utf8_length(const char *bytes)
{
    const unsigned char *text = (const unsigned char *)bytes;
    size_t length = text[0] < 0x80   ? 1
                    : text[0] < 0xc2 ? 0
                    : text[0] < 0xe0 ? 2
                    : text[0] < 0xf0 ? 3
                    : text[0] < 0xf5 ? 4
                                     : 0;
    if (length > 1 && !may_follow(text[0], text[1]))
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

uint32_t utf8_decode(const char *text, size_t length)
{
    const unsigned char *cursor = (const unsigned char *)text;
    uint32_t character = length == 1 ? cursor[0] : cursor[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++)
        character = character << 6 | (cursor[i] & 0x3fU);
    return character;
}

char *utf8_valid(const char *text)
{
    size_t wrong = 0, size = strlen(text);
    for (const char *cursor = text; *cursor;) {
        size_t length = utf8_length(cursor);
        wrong += length == 0;
        cursor += length ? length : 1;
    }
    char *valid = buf_alloc(size + wrong * strlen(UTF8_REPLACEMENT) + 1), *to = valid;
    while (*text) {
        size_t length = utf8_length(text);
        const char *from = length ? text : UTF8_REPLACEMENT;
        size_t bytes = length ? length : strlen(from);
        memcpy(to, from, bytes);
        to += bytes;
        text += length ? length : 1;
    }
    *to = '\0';
    return valid;
}

/* Returns whether XML allows the character and a terminal shows it. */
static bool is_shown(uint32_t character)
{
    if (character < 0x20)
        return character == '\t' || character == '\n';
    return character < 0x7f || (character >= 0xa0 && character < 0xd800) ||
           (character >= 0xe000 && character < 0xfffe) || character >= 0x10000;
}

static void print_character(FILE *out, const char *text, size_t length)
{
    static const char *const escaped[] = {"&amp;", "<lt;", ">gt;", "\"quot;", "'#39;"};
    for (size_t i = 0; i < sizeof escaped / sizeof *escaped; i++)
        if (*text == escaped[i][0]) {
            fprintf(out, "&%s", escaped[i] + 1);
            return;
        }
    fwrite(text, 1, length, out);
}

void markup_print(FILE *out, const char *text)
{
    while (*text) {
        size_t length = utf8_length(text);
        if (length && is_shown(utf8_decode(text, length)))
            print_character(out, text, length);
        else
            fputs(UTF8_REPLACEMENT, out);
        text += length ? length : 1;
    }
}

void base64_print(FILE *out, const void *bytes, size_t size)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = bytes;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t three = (uint32_t)from[i] << 16 |
                         (left > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
                         (left > 2 ? from[i + 2] : 0);
        putc(digits[three >> 18], out);
        putc(digits[three >> 12 & 63], out);
        putc(left > 1 ? digits[three >> 6 & 63] : '=', out);
        putc(left > 2 ? digits[three & 63] : '=', out);
    }
}

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

/* Prints a comma before a value or the name of a field, if one is needed. */
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

/* Prints -VALUE if NEGATIVE, otherwise VALUE. A page has millions of numbers, so this is
   one call of fwrite, with what separate prints. */
static void put_integer(struct json *json, bool negative, uint64_t value)
{
    char text[24], *end = text + sizeof text, *first = end;
    do {
        *--first = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    if (negative)
        *--first = '-';
    if (json->any && !json->named) {
        *--first = ' ';
        *--first = ',';
    }
    json->any = true;
    json->named = false;
    fwrite(first, 1, (size_t)(end - first), json->out);
}

void json_unsigned(struct json *json, uint64_t value)
{
    put_integer(json, false, value);
}

void json_signed(struct json *json, int64_t value)
{
    put_integer(json, value < 0, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* Prints VALUE with as few digits as possible, but at least 6, so that reading the
   text gives the same VALUE. 17 digits are always enough (IEEE 754). */
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

#define FIELD_WITHOUT_VALUE(kind)                                                        \
    void json_##kind##_field(struct json *json, const char *name)                        \
    {                                                                                    \
        json_name(json, name);                                                           \
        json_##kind(json);                                                               \
    }
FIELD_WITHOUT_VALUE(open)
FIELD_WITHOUT_VALUE(open_list)

enum wire_type { VARINT = 0, FIXED64 = 1, LENGTH = 2 };

/* Maximum size of a 64-bit varint in bytes. */
#define LONGEST 10

void protobuf_free(struct protobuf *message)
{
    free(message->bytes);
    *message = (struct protobuf){0};
}

void protobuf_put(struct protobuf *packed, uint64_t value)
{
    packed->bytes = buf_grow(packed->bytes, &packed->capacity, packed->size + LONGEST, 1);
    while (value >= 0x80) {
        packed->bytes[packed->size++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    packed->bytes[packed->size++] = (unsigned char)value;
}

static void put_key(struct protobuf *message, unsigned field, enum wire_type type)
{
    protobuf_put(message, (uint64_t)field << 3 | type);
}

void protobuf_member(struct protobuf *message, unsigned field, uint64_t value)
{
    put_key(message, field, VARINT);
    protobuf_put(message, value);
}

void protobuf_integer(struct protobuf *message, unsigned field, uint64_t value)
{
    if (value)
        protobuf_member(message, field, value);
}

static void put_raw(struct protobuf *message, const void *bytes, size_t size)
{
    message->bytes =
        buf_grow(message->bytes, &message->capacity, message->size + size, 1);
    if (size)
        memcpy(message->bytes + message->size, bytes, size);
    message->size += size;
}

void protobuf_fixed(struct protobuf *message, unsigned field, uint64_t value)
{
    unsigned char bytes[8];
    if (!value)
        return;
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
    put_key(message, field, FIXED64);
    put_raw(message, bytes, sizeof bytes);
}

void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes,
                    size_t size)
{
    put_key(message, field, LENGTH);
    protobuf_put(message, size);
    put_raw(message, bytes, size);
}

void protobuf_text(struct protobuf *message, unsigned field, const char *text)
{
    protobuf_bytes(message, field, text, strlen(text));
}

void protobuf_message(struct protobuf *message, unsigned field, struct protobuf *inner)
{
    protobuf_bytes(message, field, inner->bytes, inner->size);
    inner->size = 0;
}

void protobuf_append(struct protobuf *message, struct protobuf *other)
{
    put_raw(message, other->bytes, other->size);
    other->size = 0;
}
