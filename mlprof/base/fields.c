/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers, words, paths and names from a line. The functions that read numbers
   must be fast, because a large data file consists mainly of numbers. */

#include "mlprof/base/fields.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

bool fields_wrong(struct fields *fields, const char *why)
{
    return fault_set(fields->fault, FAULT_GARBLED, fields->path, "line %lu: %s",
                     fields->number, why);
}

bool fields_next_line(struct fields *fields)
{
    fields->number++;
    const char *newline =
        memchr(fields->next, '\n', (size_t)(fields->end - fields->next));
    if (!newline)
        return fields_wrong(fields, "the file is cut off here");
    fields->cursor = fields->next;
    fields->stop = newline;
    fields->next = newline + 1;
    return true;
}

bool fields_optional(struct fields *fields, const char *word)
{
    size_t length = strlen(word), left = (size_t)(fields->end - fields->next);
    if (left < length || memcmp(fields->next, word, length) != 0 ||
        !memchr(fields->next, '\n', left) || !fields_next_line(fields))
        return false;
    fields->cursor += length;
    return true;
}

bool fields_end_of_line(const struct fields *fields)
{
    return fields->cursor == fields->stop;
}

bool fields_skip(struct fields *fields, const char *text)
{
    const char *cursor = fields->cursor;
    for (; *text; text++, cursor++)
        if (cursor == fields->stop || *cursor != *text)
            return false;
    fields->cursor = cursor;
    return true;
}

/* Reads a number. The function is inline so that BASE is a constant. This makes it
   faster, and a large data file consists mainly of numbers. */
static inline bool digits(struct fields *fields, unsigned base, uint64_t *value)
{
    const char *start = fields->cursor, *cursor = start;
    uint64_t sum = 0;
    bool fits = true;
    for (unsigned digit;
         fits && cursor < fields->stop && (digit = fields_digit(*cursor)) < base;
         cursor++) {
        fits = sum <= UINT64_MAX / base && sum * base <= UINT64_MAX - digit;
        sum = sum * base + digit;
    }
    fields->cursor = cursor;
    *value = sum;
    return fits && cursor > start;
}

bool fields_decimal(struct fields *fields, uint64_t *value)
{
    return digits(fields, 10, value);
}

bool fields_hexadecimal(struct fields *fields, uint64_t *value)
{
    return fields_skip(fields, "0x") && digits(fields, 16, value);
}

bool fields_number(struct fields *fields, uint64_t *value)
{
    return fields_skip(fields, " ") && fields_decimal(fields, value);
}

bool fields_number_line(struct fields *fields, const char *name, uint64_t *value)
{
    if (!fields_next_line(fields))
        return false;
    if (fields_skip(fields, name) && fields_skip(fields, " ") &&
        fields_decimal(fields, value) && fields_end_of_line(fields))
        return true;
    return fault_set(fields->fault, FAULT_GARBLED, fields->path,
                     "line %lu: it should be `%s' and a number", fields->number, name);
}

bool fields_word_line(struct fields *fields, const char *name,
                      const struct fields_word *words, size_t count, unsigned *value)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, name) || !fields_skip(fields, " ") ||
        fields_end_of_line(fields) ||
        memchr(fields->cursor, ' ', (size_t)(fields->stop - fields->cursor)))
        return fault_set(fields->fault, FAULT_GARBLED, fields->path,
                         "line %lu: it should be `%s' and one word", fields->number,
                         name);
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i].text) == (size_t)(fields->stop - fields->cursor) &&
            fields_skip(fields, words[i].text)) {
            *value = words[i].value;
            return true;
        }
    return fault_set(fields->fault, FAULT_GARBLED, fields->path,
                     "line %lu: `%s' and a word that this mlprof does not know",
                     fields->number, name);
}

char *fields_path(struct fields *fields)
{
    return fields->stop > fields->cursor ? fields_name(fields) : NULL;
}

char *fields_name(struct fields *fields)
{
    size_t length = (size_t)(fields->stop - fields->cursor);
    char *path = buf_copy_prefix(fields->cursor, length), *to = path;
    bool good = !memchr(path, '\0', length);
    for (const char *from = path; good && *from; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        from++;
        good = *from == '\\' || *from == 'n';
        *to++ = *from == 'n' ? '\n' : '\\';
    }
    if (good) {
        *to = '\0';
        return path;
    }
    free(path);
    return NULL;
}

void fields_unread(struct fields *fields)
{
    fields->next = fields->cursor;
    fields->number--;
}
