// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON parser and writer: makes a document, and parses, changes and writes it again and
// again. Documents with mistakes end in longjmp. Prints a checksum.
// json [ROUNDS]

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Type { NIL, BOOLEAN, NUMBER, STRING, ARRAY, OBJECT } Type;

typedef struct Value Value;
struct Value {
    Type type;
    double number; // and a boolean
    char *key, *text;
    Value *first, *last, *next;
};

typedef struct Pool {
    struct Pool *next;
    size_t used;
    char bytes[1 << 16];
} Pool;

static Pool *pool;

static void *allocate(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (pool == NULL || pool->used + size > sizeof pool->bytes) {
        Pool *more = malloc(sizeof *more);
        if (more == NULL)
            abort();
        more->next = pool;
        more->used = 0;
        pool = more;
    }
    void *memory = pool->bytes + pool->used;
    pool->used += size;
    return memory;
}

static void release(void)
{
    while (pool != NULL) {
        Pool *next = pool->next;
        free(pool);
        pool = next;
    }
}

typedef struct Parser {
    const char *at, *end;
    jmp_buf failed;
    const char *reason;
    int depth;
} Parser;

static _Noreturn void fail(Parser *parser, const char *reason)
{
    parser->reason = reason;
    longjmp(parser->failed, 1);
}

static inline void blanks(Parser *parser)
{
    while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\n' ||
                                        *parser->at == '\t' || *parser->at == '\r'))
        parser->at++;
}

static int hex(Parser *parser)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        char c = parser->at < parser->end ? *parser->at++ : 0;
        if (!isxdigit((unsigned char)c))
            fail(parser, "four digits expected");
        value = value * 16 + (isdigit((unsigned char)c) ? c - '0' : (c | 32) - 'a' + 10);
    }
    return value;
}

static char *utf8(char *to, int code)
{
    if (code < 0x80)
        *to++ = (char)code;
    else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

static char *string(Parser *parser)
{
    const char *close = ++parser->at;
    while (close < parser->end && *close != '"')
        close += 1 + (*close == '\\');
    if (close >= parser->end)
        fail(parser, "string without end");
    char *text = allocate((size_t)(close - parser->at) + 1), *to = text;
    while (parser->at < close) {
        char c = *parser->at++;
        if (c != '\\') {
            *to++ = c;
            continue;
        }
        switch (c = *parser->at++) {
        case 'n':
            *to++ = '\n';
            break;
        case 't':
            *to++ = '\t';
            break;
        case 'r':
            *to++ = '\r';
            break;
        case 'b':
            *to++ = '\b';
            break;
        case 'f':
            *to++ = '\f';
            break;
        case 'u':
            to = utf8(to, hex(parser));
            break;
        case '"':
        case '\\':
        case '/':
            *to++ = c;
            break;
        default:
            fail(parser, "unknown escape");
        }
    }
    *to = '\0';
    parser->at = close + 1;
    return text;
}

static double number(Parser *parser)
{
    double value = 0, scale = 1;
    int sign = 1, exponent = 0, direction = 1;
    if (*parser->at == '-')
        sign = -1, parser->at++;
    if (parser->at >= parser->end || !isdigit((unsigned char)*parser->at))
        fail(parser, "digit expected");
    for (; parser->at < parser->end && isdigit((unsigned char)*parser->at); parser->at++)
        value = value * 10 + (*parser->at - '0');
    if (parser->at < parser->end && *parser->at == '.')
        for (parser->at++;
             parser->at < parser->end && isdigit((unsigned char)*parser->at);
             parser->at++)
            value += (*parser->at - '0') * (scale /= 10);
    if (parser->at < parser->end && (*parser->at | 32) == 'e') {
        parser->at++;
        if (*parser->at == '-' || *parser->at == '+')
            direction = *parser->at++ == '-' ? -1 : 1;
        for (; parser->at < parser->end && isdigit((unsigned char)*parser->at);
             parser->at++)
            exponent = exponent * 10 + (*parser->at - '0');
    }
    return sign * value * pow(10, direction * exponent);
}

static Value *value(Parser *parser);

static void append(Value *list, Value *element)
{
    if (list->last != NULL)
        list->last->next = element;
    else
        list->first = element;
    list->last = element;
}

static void members(Parser *parser, Value *list, char close)
{
    if (++parser->depth > 100)
        fail(parser, "too deep");
    parser->at++;
    blanks(parser);
    if (parser->at < parser->end && *parser->at == close)
        parser->at++;
    else
        for (;;) {
            char *key = NULL;
            blanks(parser);
            if (close == '}') {
                if (parser->at >= parser->end || *parser->at != '"')
                    fail(parser, "key expected");
                key = string(parser);
                blanks(parser);
                if (parser->at >= parser->end || *parser->at++ != ':')
                    fail(parser, "colon expected");
            }
            Value *element = value(parser);
            element->key = key;
            append(list, element);
            blanks(parser);
            char c = parser->at < parser->end ? *parser->at++ : 0;
            if (c == close)
                break;
            if (c != ',')
                fail(parser, "comma expected");
        }
    parser->depth--;
}

static int word(Parser *parser, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(parser->end - parser->at) < length ||
        memcmp(parser->at, text, length) != 0)
        return 0;
    parser->at += length;
    return 1;
}

static Value *value(Parser *parser)
{
    Value *result = allocate(sizeof *result);
    *result = (Value){NIL, 0, NULL, NULL, NULL, NULL, NULL};
    blanks(parser);
    if (parser->at >= parser->end)
        fail(parser, "value expected");
    switch (*parser->at) {
    case '{':
        result->type = OBJECT;
        members(parser, result, '}');
        break;
    case '[':
        result->type = ARRAY;
        members(parser, result, ']');
        break;
    case '"':
        result->type = STRING;
        result->text = string(parser);
        break;
    case 't':
    case 'f':
        result->type = BOOLEAN;
        result->number = *parser->at == 't';
        if (!word(parser, "true") && !word(parser, "false"))
            fail(parser, "unknown word");
        break;
    case 'n':
        if (!word(parser, "null"))
            fail(parser, "unknown word");
        break;
    default:
        result->type = NUMBER;
        result->number = number(parser);
    }
    return result;
}

// The value of a text, or NULL with the reason.
static Value *parse(const char *text, size_t length, const char **reason)
{
    Parser parser = {text, text + length, {0}, NULL, 0};
    if (setjmp(parser.failed) != 0) {
        *reason = parser.reason;
        return NULL;
    }
    Value *result = value(&parser);
    blanks(&parser);
    if (parser.at != parser.end)
        fail(&parser, "something follows");
    return result;
}

typedef struct Text {
    char *bytes;
    size_t size, room;
} Text;

static void put(Text *text, const char *bytes, size_t size)
{
    if (text->size + size > text->room) {
        text->room = 2 * (text->size + size);
        if ((text->bytes = realloc(text->bytes, text->room)) == NULL)
            abort();
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

static void put_string(Text *text, const char *string)
{
    put(text, "\"", 1);
    for (; *string != '\0'; string++) {
        char escape[8];
        unsigned char c = (unsigned char)*string;
        if (c == '"' || c == '\\')
            put(text, escape, (size_t)sprintf(escape, "\\%c", c));
        else if (c < 32)
            put(text, escape, (size_t)sprintf(escape, "\\u%04x", c));
        else
            put(text, string, 1);
    }
    put(text, "\"", 1);
}

static void put_value(Text *text, const Value *value)
{
    char digits[32];
    switch (value->type) {
    case NIL:
        put(text, "null", 4);
        break;
    case BOOLEAN:
        put(text, value->number != 0 ? "true" : "false", value->number != 0 ? 4 : 5);
        break;
    case NUMBER:
        put(text, digits,
            (size_t)snprintf(digits, sizeof digits, "%.12g", value->number));
        break;
    case STRING:
        put_string(text, value->text);
        break;
    default:
        put(text, value->type == ARRAY ? "[" : "{", 1);
        for (const Value *i = value->first; i != NULL; i = i->next) {
            if (i->key != NULL) {
                put_string(text, i->key);
                put(text, ":", 1);
            }
            put_value(text, i);
            if (i->next != NULL)
                put(text, ",", 1);
        }
        put(text, value->type == ARRAY ? "]" : "}", 1);
    }
}

static double change(Value *value)
{
    double sum = 0;
    if (value->type == NUMBER)
        sum = value->number = fmod(value->number * 3 + 1, 100003);
    for (Value *i = value->first; i != NULL; i = i->next)
        sum += change(i);
    return sum;
}

static uint32_t seed = 1;

static uint32_t random_below(uint32_t limit)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % limit;
}

static void make(Text *text, int depth)
{
    char piece[64];
    uint32_t kind = depth == 0 ? random_below(4) : depth < 6 ? 3 + random_below(4) : 5;
    switch (kind) {
    case 0:
        put(text, "true", 4);
        break;
    case 1:
        put(text, " null ", 6);
        break;
    case 2:
        put(text, "\"a\\u00e9\\n \\\"b\\\"\"", 17);
        break;
    case 3:
        put(text, piece,
            (size_t)sprintf(piece, "%u.%ue-2", random_below(90000), random_below(1000)));
        break;
    default:
        put(text, kind % 2 == 0 ? "[" : "{", 1);
        for (uint32_t i = 0, n = 3 + random_below(5); i < n; i++) {
            if (kind % 2 != 0)
                put(text, piece, (size_t)sprintf(piece, "\"key %u\" : ", i));
            make(text, depth - 1);
            put(text, ", ", i + 1 < n ? 2 : 0);
        }
        put(text, kind % 2 == 0 ? "]" : "}", 1);
    }
}

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 40, failures = 0;
    Text text = {0};
    double sum = 0;
    uint64_t hash = 0;
    make(&text, 6);
    for (int i = 0; i < rounds; i++) {
        const char *reason = "";
        Value *root = parse(text.bytes, text.size, &reason);
        if (root == NULL) {
            fprintf(stderr, "json: %s\n", reason);
            return 1;
        }
        sum += change(root);
        text.size = 0;
        put_value(&text, root);
        release();
        for (size_t cut = 1; cut < 200; cut++) { // a document that is cut short
            failures += parse(text.bytes, text.size * cut / 200, &reason) == NULL;
            hash = hash * 31 + (unsigned char)*reason;
            release();
        }
    }
    for (size_t i = 0; i < text.size; i++)
        hash = hash * 31 + (unsigned char)text.bytes[i];
    printf("%zu bytes, %d failures, sum %.6g, hash %" PRIx64 "\n", text.size, failures,
           sum, hash);
    free(text.bytes);
    return 0;
}
