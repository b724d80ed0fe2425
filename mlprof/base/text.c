/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces control characters and invalid UTF-8 (text_clean), fits names and positions
   into columns (text_shorten, text_fit), and formats counts and times. */

#include "mlprof/base/text.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/base/path.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the character changes the direction of writing: marks, embeddings,
   overrides and isolates (Unicode Standard Annex 9). */
static bool is_direction(uint32_t character)
{
    return character == 0x61c || character == 0x200e || character == 0x200f ||
           (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

/* Returns the length in bytes of the character at TEXT; 1 if it is not valid UTF-8.
   Sets *OBEYED if a terminal does not show the character but acts on it: a control
   character of C0, or of C1 as a byte or in UTF-8, or a character that changes the
   direction of writing. */
static size_t character_length(const char *text, bool *obeyed)
{
    size_t length = utf8_length(text);
    uint32_t character = length ? utf8_decode(text, length) : (unsigned char)*text;
    *obeyed = character < ' ' || (character >= 0x7f && character < 0xa0) ||
              (length > 1 && is_direction(character));
    return length ? length : 1;
}

void text_mask(char *text)
{
    char *to = text;
    while (*text) {
        bool obeyed;
        size_t length = character_length(text, &obeyed);
        if (obeyed)
            *to++ = '?';
        else {
            memmove(to, text, length);
            to += length;
        }
        text += length;
    }
    *to = '\0';
}

char *text_clean(const char *name)
{
    return text_clean_but(name, "");
}

char *text_clean_but(const char *name, const char *kept)
{
    char *clean = buf_alloc(4 * strlen(name) + 1), *to = clean;
    while (*name) {
        bool obeyed;
        size_t left = character_length(name, &obeyed);
        obeyed = obeyed && !strchr(kept, *name);
        for (; left; left--, name++)
            if (obeyed)
                to += sprintf(to, "\\x%02x", (unsigned char)*name);
            else
                *to++ = *name;
    }
    return clean;
}

/* Returns the length of the separator at P; 0 if there is none. */
static size_t separator(const char *p)
{
    if (p[0] == ':' && p[1] == ':')
        return 2;
    return p[0] == '.';
}

/* Returns whether a C++ operator begins at P. Brackets in the name of an operator may
   be unbalanced. */
static bool is_operator(const char *p)
{
    static const char word[] = "operator";
    if (strncmp(p, word, strlen(word)) != 0)
        return false;
    unsigned char next = (unsigned char)p[strlen(word)];
    return next && !isalnum(next) && next != '_' && next < 0x80;
}

const char *text_last_component(const char *name)
{
    const char *last = name;
    int depth = 0;
    for (const char *p = name; *p; p++) {
        size_t length = depth == 0 ? separator(p) : 0;
        if (length && p[length]) {
            last = p + length;
            p = last - 1;
        } else if (depth == 0 && p == last && is_operator(p)) {
            break;
        } else if (strchr("(<[{", *p)) {
            depth++;
        } else if (strchr(")>]}", *p) && depth > 0) {
            depth--;
        }
    }
    return last;
}

bool text_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool text_ends(const char *text, const char *with)
{
    size_t length = strlen(text), end = strlen(with);
    return length > end && strcmp(text + length - end, with) == 0;
}

bool text_is_listed(const char *list, const char *text, size_t length)
{
    for (size_t each; *list; list += each + strspn(list + each, " ")) {
        each = strcspn(list, " ");
        if (each == length && strncmp(list, text, length) == 0)
            return true;
    }
    return false;
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* Returns the position where column COLUMN of TEXT begins. */
static const char *column_at(const char *text, size_t column)
{
    for (; *text; text++)
        if (((unsigned char)*text & 0xc0) != 0x80 && column-- == 0)
            break;
    return text;
}

char *text_shorten(const char *text, size_t most)
{
    size_t width = text_width(text);
    if (width <= most)
        return buf_copy(text);
    size_t end = (most - 3) / 2, start = most - 3 - end;
    return buf_format("%.*s...%s", (int)(column_at(text, start) - text), text,
                      column_at(text, width - end));
}

char *text_cut(const char *text, size_t most)
{
    if (text_width(text) <= most)
        return buf_copy(text);
    return buf_format("%.*s...", (int)(column_at(text, most - 3) - text), text);
}

char *text_end(const char *text, size_t most)
{
    size_t width = text_width(text);
    if (width <= most)
        return buf_copy(text);
    const char *end = column_at(text, width - (most - 3)), *part = strstr(end, "::");
    return buf_format("...%s", part && text_width(part) >= most - most / 3 ? part : end);
}

size_t text_position(size_t room, size_t name, const char *position)
{
    size_t width = text_width(position), name_width = text_width(path_last(position)),
           most = room > 36 ? room - 12 : room - room / 3,
           left = room > name ? room - name : 0;
    if (name_width > most)
        name_width = most;
    if (left < room / 2)
        left = room / 2;
    if (left < name_width)
        left = name_width;
    return width < left ? width : left;
}

/* Returns PATH with `...' instead of the first folders after its first HEAD bytes, as
   few as necessary to fit MOST columns; freed by free. Returns NULL if removing all of
   these folders is not enough. */
static char *drop_folders(const char *path, size_t head, size_t most)
{
    for (const char *cursor = path + head; (cursor = strchr(cursor, '/')); cursor++) {
        char *shorter = buf_format("%.*s...%s", (int)head, path, cursor);
        if (text_width(shorter) <= most)
            return shorter;
        free(shorter);
    }
    return NULL;
}

char *text_path(const char *path, size_t most)
{
    const char *first = strchr(path + (*path == '/'), '/');
    char *shorter = NULL;
    if (text_width(path) <= most)
        return buf_copy(path);
    if (first && !(shorter = drop_folders(path, (size_t)(first + 1 - path), most)))
        shorter = drop_folders(path, 0, most);
    return shorter ? shorter : text_shorten(path_last(path), most);
}

char *text_part(const char *text)
{
    BUF_OWN char *clean = text_clean(text);
    return buf_format(TEXT_PART "%s" TEXT_PART, clean);
}

char *text_plain(const char *text)
{
    char *plain = buf_copy(text), *to = plain;
    for (const char *cursor = text; *cursor; cursor++)
        if (*cursor != *TEXT_PART)
            *to++ = *cursor;
    *to = '\0';
    return plain;
}

/* Returns TEXT without marks, with its parts shortened to LIMIT columns by FIT; freed
   by free. A file name first loses its folders. Unless KEEP_FILE, it then loses the
   middle of its last component. */
static char *limit_parts(const char *text, size_t limit, char *fit(const char *, size_t),
                         bool keep_file)
{
    char *limited = NULL;
    size_t size;
    FILE *out = buf_open(&limited, &size);
    for (bool part = false; *text; part = !part) {
        size_t length = strcspn(text, TEXT_PART);
        BUF_OWN char *piece = buf_copy_prefix(text, length);
        bool file = part && strchr(piece, '/') && !strchr(piece, '<');
        size_t file_width = keep_file ? text_width(path_last(piece)) : 0;
        BUF_OWN char *shown =
            !part  ? NULL
            : file ? text_path(piece, limit > file_width ? limit : file_width)
                   : fit(piece, limit);
        fputs(shown ? shown : piece, out);
        text += length + (text[length] != '\0');
    }
    buf_close(out);
    return limited;
}

char *text_fit(const char *text, size_t most, char *fit(const char *, size_t))
{
    enum { LEAST = 8 };
    size_t width = text_width(text), limit = width > most && most > LEAST ? most : width;
    if (!strchr(text, *TEXT_PART))
        return fit(text, most);
    size_t first = limit;
    for (bool keep_file = true;;) {
        char *fitted = limit_parts(text, limit, fit, keep_file);
        if (text_width(fitted) <= most || (limit <= LEAST && !keep_file))
            return fitted;
        free(fitted);
        keep_file = keep_file && limit > LEAST;
        limit = limit > LEAST ? limit - 1 : first;
    }
}

/* Returns the length of the next line when TEXT, which has LENGTH bytes and is wider
   than MOST columns, is wrapped. Returns LENGTH if there is no blank before MOST. */
static size_t line_break(const char *text, size_t length, size_t most)
{
    size_t found = 0;
    bool comma = false;
    for (size_t i = strspn(text, " ") + 1; i < length && i <= most; i++) {
        bool after_comma = strchr(",;", text[i - 1]) && i > most / 2;
        if (text[i] == ' ' && (after_comma || !comma)) {
            found = i;
            comma = after_comma;
        }
    }
    return found ? found : length;
}

char *text_wrap(const char *text, size_t most)
{
    enum { INDENT = 4 };
    char *wrapped = NULL;
    size_t size;
    FILE *out = buf_open(&wrapped, &size);
    while (*text) {
        size_t length = strcspn(text, "\n"), indent = strspn(text, " ") + INDENT,
               used = 0;
        while (most > 2 * indent && length + used > most) {
            size_t kept = line_break(text, length, most - used);
            if (kept == length)
                break;
            fprintf(out, "%.*s\n%*s", (int)kept, text, (int)indent, "");
            text += kept + 1;
            length -= kept + 1;
            used = indent;
        }
        fprintf(out, "%.*s", (int)length, text);
        text += length;
        if (*text)
            putc(*text++, out);
    }
    buf_close(out);
    return wrapped;
}

/* Returns PLAIN, a number that begins with digits, with commas between thousands. */
static char *group_digits(const char *plain)
{
    size_t digits = strspn(plain, "0123456789");
    char *text = buf_alloc(strlen(plain) + digits / 3 + 1), *to = text;
    for (size_t i = 0; plain[i]; i++) {
        if (i > 0 && i < digits && (digits - i) % 3 == 0)
            *to++ = ',';
        *to++ = plain[i];
    }
    return text;
}

char *text_commas(double value, int decimals)
{
    BUF_OWN char *plain = buf_format("%.*f", decimals, value);
    return group_digits(plain);
}

char *text_count(uint64_t value)
{
    BUF_OWN char *plain = buf_format("%" PRIu64, value);
    return group_digits(plain);
}

char *text_number_of(uint64_t value, const char *word, const char *plural)
{
    BUF_OWN char *number = text_count(value);
    return buf_format("%s %s", number, value == 1 ? word : plural);
}

char *text_number(uint64_t value, const char *word)
{
    BUF_OWN char *plural = buf_format("%ss", word);
    return text_number_of(value, word, plural);
}

char *text_time(double seconds)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t i = 0;
    while (i < 3 && seconds < units[i].unit)
        i++;
    double value = seconds / units[i].unit;
    return buf_format(value <= 0    ? "%.0f%s"
                      : value < 10  ? "%.2f%s"
                      : value < 100 ? "%.1f%s"
                                    : "%.0f%s",
                      value, units[i].name);
}

/* 95 % of the values of a normal distribution lie within this many standard deviations
   of the mean. */
#define DEVIATIONS 1.96
/* If at least this many samples are expected, the probability of a run without samples
   is at most 5 %: exp(-3). */
#define EXPECTED_OF_NONE 3

/* Prints the uncertainty caused by LESS and MORE only if it is larger than the
   sampling error. */
char *text_call_time(uint64_t samples, uint64_t less, uint64_t more, uint64_t rate,
                     uint64_t calls)
{
    double chance = DEVIATIONS * sqrt((double)samples);
    bool certain = (double)less <= chance && (double)more <= chance;
    double most = (double)(samples + more), least = (double)(samples - less);
    if (calls == 0)
        return buf_copy("-");
    most += DEVIATIONS * sqrt(most);
    if (samples == 0 && most < EXPECTED_OF_NONE)
        most = EXPECTED_OF_NONE;
    least -= DEVIATIONS * sqrt(least);
    bool bounded = samples == 0 || (!certain && least <= 0);
    double of_one = 1 / (double)rate / (double)calls;
    BUF_OWN char *time = text_time((bounded ? most : (double)samples) * of_one);
    if (bounded)
        return buf_format("<%s", time);
    if (certain)
        return buf_format("%s +-%.0f%%", time, 100 * DEVIATIONS / sqrt((double)samples));
    return buf_format("%s +%.0f-%.0f%%", time, 100 * (most / (double)samples - 1),
                      100 * (1 - least / (double)samples));
}
