/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes the last field of a limit: the functions that it is about
   (budget.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/budget.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
