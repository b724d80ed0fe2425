/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the fields of a limit, and writes the last one: the functions that it is about
   (budget.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/budget.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Units, and the powers by which they multiply. */
struct number_unit {
    const char *name;
    uint64_t times;
    enum measure_unit of; /* amounts that may have it; MEASURE_COUNT: all */
};

static const struct number_unit units[] = {{"", 1, MEASURE_COUNT},
                                           {"k", 1000, MEASURE_COUNT},
                                           {"M", 1000000, MEASURE_COUNT},
                                           {"G", 1000000000, MEASURE_COUNT},
                                           {"T", 1000000000000, MEASURE_COUNT},
                                           {"kB", 1000, MEASURE_BYTES},
                                           {"MB", 1000000, MEASURE_BYTES},
                                           {"GB", 1000000000, MEASURE_BYTES},
                                           {"TB", 1000000000000, MEASURE_BYTES},
                                           {"KiB", UINT64_C(1) << 10, MEASURE_BYTES},
                                           {"MiB", UINT64_C(1) << 20, MEASURE_BYTES},
                                           {"GiB", UINT64_C(1) << 30, MEASURE_BYTES},
                                           {"TiB", UINT64_C(1) << 40, MEASURE_BYTES},
                                           {"ns", 1, MEASURE_NANOSECONDS},
                                           {"us", 1000, MEASURE_NANOSECONDS},
                                           {"ms", 1000000, MEASURE_NANOSECONDS},
                                           {"s", 1000000000, MEASURE_NANOSECONDS}};

/* Maximum number of digits after the point: a fraction is in units of 1 /
   BUDGET_PERCENT. */
#define FRACTION_MOST 6

const char *budget_read_count(const char **cursor, uint64_t *value)
{
    const char *start = *cursor, *p = start;
    bool commas = false;
    size_t group = 0;
    *value = 0;
    for (; (*p >= '0' && *p <= '9') || *p == ','; p++) {
        if (*p == ',') {
            if (group > 3 || group == 0 || (commas && group != 3))
                return "a comma separates groups of three digits";
            commas = true;
            group = 0;
            continue;
        }
        group++;
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(*p - '0'), value))
            return "the number is too large";
    }
    *cursor = p;
    return p == start             ? "it is not a number"
           : commas && group != 3 ? "a comma separates groups of three digits"
                                  : NULL;
}

/* Like budget_read_count, but the number may have a fraction, which is stored in
   FRACTION. */
static const char *read_number(const char **cursor, uint64_t *value, uint64_t *fraction)
{
    const char *why = budget_read_count(cursor, value);
    *fraction = 0;
    if (why || **cursor != '.')
        return why;
    size_t digits = strspn(*cursor + 1, "0123456789");
    if (digits == 0 || digits > FRACTION_MOST)
        return "there are one to six digits after a point";
    for (size_t i = 0; i < FRACTION_MOST; i++)
        *fraction =
            *fraction * 10 + (i < digits ? (uint64_t)((*cursor)[i + 1] - '0') : 0);
    *cursor += 1 + digits;
    return NULL;
}

static enum measure_unit unit_of(struct runset_measure measure)
{
    return measure.part == RUNSET_BLOCKS ? MEASURE_COUNT : measure.base->unit;
}

/* Reads a plain number and its unit. */
static const char *read_most(const char *cursor, struct budget_line *line)
{
    uint64_t value, fraction;
    const char *why = read_number(&cursor, &value, &fraction);
    const struct number_unit *unit = NULL;
    if (why)
        return why;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, cursor) == 0)
            unit = &units[i];
    if (strcmp(cursor, "%") == 0)
        return "a limit in percent begins with + or +-";
    if (!unit)
        return "the unit is not k, M, G, T, nor one of bytes: kB, KiB, MB, MiB ...";
    if (unit->of != MEASURE_COUNT && unit->of != unit_of(line->measure))
        return unit->of == MEASURE_BYTES ? "this unit is for bytes"
                                         : "this unit is for waits";
    if (fraction && unit->times == 1)
        return "a fraction needs a unit";
    if (__builtin_mul_overflow(value, unit->times, &value) ||
        __builtin_add_overflow(value, fraction * unit->times / BUDGET_PERCENT, &value))
        return "the number is too large";
    line->amount = value;
    return NULL;
}

static const char *read_percent(const char *cursor, struct budget_line *line)
{
    uint64_t value, fraction;
    line->form = BUDGET_ABOVE;
    if (*cursor == '-') {
        line->form = BUDGET_WITHIN;
        cursor++;
    }
    const char *why = read_number(&cursor, &value, &fraction);
    if (why)
        return why;
    if (strcmp(cursor, "%") != 0)
        return "a limit that begins with + ends with %";
    if (value >= BUDGET_PERCENT_MOST)
        return "the number is too large";
    line->amount = value * BUDGET_PERCENT + fraction;
    return NULL;
}

const char *budget_read_limit(struct budget_line *line)
{
    const char *limit = line->limit;
    if (strcmp(limit, "=") == 0) {
        line->form = BUDGET_WITHIN;
        return NULL;
    }
    return *limit == '+' ? read_percent(limit + 1, line) : read_most(limit, line);
}

bool budget_can_name(const char *text)
{
    for (const char *cursor = text; *cursor;) {
        size_t length = utf8_length(cursor);
        if (length == 0 || budget_is_control(*cursor) ||
            (*cursor == ' ' && (cursor[1] == ' ' || cursor[1] == '#')))
            return false;
        cursor += length;
    }
    return *text && !strchr("/# ", *text) && !text_begins(text, "each /") &&
           strcmp(text, "total") != 0 && text[strlen(text) - 1] != ' ';
}

/* Moves *CURSOR behind two or more blanks, which become a NUL, and returns the text
   before them. Returns NULL at the end of the text. */
static char *next_part(char **cursor)
{
    char *part = *cursor, *end = strstr(part, "  ");
    if (!*part)
        return NULL;
    *cursor = end ? end + strspn(end, " \t") : part + strlen(part);
    if (end)
        *end = '\0';
    return part;
}

/* Reads `(N)'. */
static bool read_nth(const char *text, uint32_t *nth)
{
    const char *cursor = text + 1;
    uint64_t value;
    bool good = !budget_read_count(&cursor, &value) && value && value < UINT32_MAX &&
                strcmp(cursor, ")") == 0;
    *nth = good ? (uint32_t)value : 0;
    return good;
}

char *budget_read_subject(struct budget_line *line, char *text)
{
    struct budget_place place = {0};
    bool pattern = *text == '/' || text_begins(text, "each /"), good = true;
    char *part = pattern ? text : next_part(&text);
    place.name = buf_copy(part);
    while (!pattern && good && (part = next_part(&text))) {
        bool in = text_begins(part, "in ");
        char **field = in ? &place.object : &place.file;
        good = !place.nth && (*part == '(' ? read_nth(part, &place.nth) : !*field);
        if (good && *part != '(')
            *field = buf_copy(in ? part + strlen("in ") : part);
    }
    char *why = budget_set_subject(line, place);
    if (good)
        return why;
    free(why);
    return buf_copy("a file, `in' with a shared object, and a number in parentheses can "
                    "follow the function");
}

char *budget_set_subject(struct budget_line *line, struct budget_place place)
{
    const char *name = place.name;
    line->place = place;
    line->subject = strcmp(name, "total") == 0 ? BUDGET_TOTAL : BUDGET_NAME;
    bool each = text_begins(name, "each /");
    if (!each && *name != '/')
        return NULL;
    size_t start = each ? strlen("each /") : 1, length = strlen(name);
    if (length < start + 1 || name[length - 1] != '/')
        return buf_copy("a regular expression ends with /");
    line->subject = each ? BUDGET_EACH : BUDGET_PATTERN;
    line->expression = buf_copy_prefix(name + start, length - start - 1);
    line->pattern = buf_alloc(sizeof *line->pattern);
    return pattern_set(line->pattern, line->expression);
}

char *budget_place_text(const struct budget_place *place)
{
    if (!place->file && !place->object && !place->nth)
        return buf_copy(place->name);
    BUF_OWN char *nth =
        place->nth ? buf_format("  (%" PRIu32 ")", place->nth) : buf_copy("");
    return buf_format("%s%s%s%s%s%s", place->name, place->file ? "  " : "",
                      place->file ? place->file : "", place->object ? "  in " : "",
                      place->object ? place->object : "", nth);
}

struct budget_place budget_copy_place(const struct budget_place *place)
{
    return (struct budget_place){
        buf_copy(place->name), place->file ? buf_copy(place->file) : NULL,
        place->object ? buf_copy(place->object) : NULL, place->nth};
}
