/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/evaluate/names.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/demangle.h"
#include "mlprof/base/text.h"
#include "mlprof/evaluate/readable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *plain_name(const struct identity_source *source, bool long_name)
{
    bool last = !long_name && source->file;
    return buf_copy(last ? text_last_component(source->name) : source->name);
}

/* With parameters, if there is such a name.  */
static char *full_name(const struct identity_source *source, bool long_name)
{
    char *full = demangle(source->symbol);
    return full ? full : plain_name(source, long_name);
}

/* NAME, which is freed, readable.  */
static char *made_readable(char *name, size_t most)
{
    char *text = readable(name, most);
    free(name);
    return text;
}

char *names_of(const struct identity_source *source, const struct names_style *style)
{
    if (style->form == NAMES_FULL)
        return full_name(source, style->long_name);
    char *plain = plain_name(source, style->long_name);
    return style->form == NAMES_PLAIN ? plain : made_readable(plain, READABLE_MOST);
}

/* Ways to tell rows apart that are shown alike, in the order in which they are tried; the
   two that are of readable names only come to what the one between does.  */
enum way {
    LAMBDA_LINE,
    LAMBDA_COLUMN,
    ARGUMENTS,  /* all of a template's, readable */
    PARAMETERS, /* readable if the others are */
    WHOLE,      /* all that there is of the name */
    LINE,
    COLUMN,
    WAYS
};

/* NAME, which is freed, with its position; without column and folder unless they are
 * asked for.  */
static char *with_position(char *name, const struct identity_source *source, bool column,
                           bool folder)
{
    const char *slash = source->file && !folder ? strrchr(source->file, '/') : NULL;
    const char *file = slash ? slash + 1 : source->file;
    char *text = NULL;
    if (file && column)
        text = buf_format("%s (%s:%" PRIu32 ":%" PRIu32 ")", name, file, source->line,
                          source->column);
    else if (file)
        text = buf_format("%s (%s:%" PRIu32 ")", name, file, source->line);
    free(name);
    return text;
}

static bool is_lambda(const struct identity_source *source)
{
    const char *last = text_last_component(source->name);
    return strcmp(last, "lambda") == 0;
}

/* NULL: nothing is to be done in this way.  */
static char *tell_apart(const struct identity_source *source,
                        const struct names_style *style, enum way way)
{
    bool is_readable = style->form == NAMES_READABLE;
    char *full;
    switch (way) {
    case LAMBDA_LINE:
    case LAMBDA_COLUMN:
        if (!is_lambda(source) || (way == LAMBDA_LINE && style->show_line))
            return NULL;
        return with_position(names_of(source, style), source, way == LAMBDA_COLUMN,
                             false);
    case ARGUMENTS:
        return is_readable ? made_readable(plain_name(source, style->long_name), 0)
                           : NULL;
    case PARAMETERS:
    case LINE:
        if (way == LINE && style->show_line)
            return NULL;
        full = full_name(source, style->long_name);
        if (is_readable)
            full = made_readable(full, 0);
        return way == LINE ? with_position(full, source, false, false) : full;
    case WHOLE:
        return is_readable ? full_name(source, style->long_name) : NULL;
    case COLUMN:
        return with_position(full_name(source, style->long_name), source, true, true);
    case WAYS:
        break;
    }
    return NULL;
}

static const char *keep(struct rows *rows, char *text)
{
    const char *kept =
        intern_text(&rows->stacks.names, intern_put(&rows->stacks.names, text));
    free(text);
    return kept;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Copies of one function (stacks-split.h) are not told apart.  */
static bool is_same(const struct identity_source *a, const struct identity_source *b)
{
    return is_same_text(a->name, b->name) && is_same_text(a->symbol, b->symbol) &&
           is_same_text(a->file, b->file) && is_same_text(a->directory, b->directory) &&
           a->line == b->line && a->column == b->column;
}

/* By row, whether that of another function is shown alike; with their positions, if that
   is the style.  NULL if none is.  Names that are shown are kept, each once.  */
static bool *find_alike(const struct rows *rows, const struct names_style *style)
{
    struct index index = {0};
    struct intern texts = {0};
    bool *alike = buf_alloc((rows->count + 1) * sizeof *alike), any = false;
    uint32_t *first = buf_alloc((rows->count + 1) * sizeof *first);
    uint32_t *like = buf_alloc((rows->count + 1) * sizeof *like);
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct identity_source *source = &rows->rows[i].source;
        bool fresh, placed = style->show_line && source->file;
        uint32_t number =
            index_put(&index, (uintptr_t)rows->rows[i].shown,
                      placed ? intern_put(&texts, source->file) : UINT32_MAX,
                      placed ? source->line : 0, &fresh);
        if (fresh)
            first[number] = i;
        like[i] = first[number];
        if (!fresh && !is_same(&rows->rows[like[i]].source, source))
            any = alike[like[i]] = true;
    }
    for (uint32_t i = 0; i < rows->count; i++)
        alike[i] = alike[like[i]];
    free(like);
    free(first);
    intern_free(&texts);
    index_free(&index);
    if (any)
        return alike;
    free(alike);
    return NULL;
}

void names_settle(struct rows *rows, const struct names_style *style)
{
    for (size_t i = 0; i < rows->count; i++)
        rows->rows[i].shown = keep(rows, names_of(&rows->rows[i].source, style));
    for (enum way way = 0; way < WAYS; way++) {
        bool *alike = find_alike(rows, style);
        if (!alike)
            break;
        for (size_t i = 0; i < rows->count; i++) {
            char *name = alike[i] ? tell_apart(&rows->rows[i].source, style, way) : NULL;
            if (name)
                rows->rows[i].shown = keep(rows, name);
        }
        free(alike);
    }
}

char *names_position(const struct identity_source *source)
{
    if (!source->file)
        return NULL;
    char *text = source->line ? buf_format("%s: %" PRIu32, source->file, source->line)
                              : buf_format("%s: ?", source->file);
    char *clean = text_clean(text);
    free(text);
    return clean;
}

/* With its position behind it.  */
static bool matches_name(const struct pattern *pattern,
                         const struct identity_source *source, const char *name)
{
    char *clean = text_clean(name), *position = names_position(source);
    char *label = position ? buf_format("%s  %s", clean, position) : buf_copy(clean);
    bool matches = pattern_begins(pattern, label);
    free(clean);
    free(position);
    free(label);
    return matches;
}

bool names_match(const struct pattern *pattern, const struct identity_source *source,
                 const char *shown, bool long_name)
{
    char *name = plain_name(source, long_name);
    bool matches = matches_name(pattern, source, name) ||
                   (shown && matches_name(pattern, source, shown));
    free(name);
    return matches;
}

bool names_match_in(const struct pattern *pattern, const struct identity_source *source,
                    const struct names_style *style)
{
    char *name = names_of(source, style);
    bool matches = names_match(pattern, source, name, style->long_name);
    free(name);
    return matches;
}

/* In the name or with the position behind it.  Frees NAME.  */
static bool is_in_name(const struct pattern *pattern,
                       const struct identity_source *source, char *name)
{
    char *clean = text_clean(name), *position = names_position(source);
    char *label = position ? buf_format("%s  %s", clean, position) : buf_copy(clean);
    bool found = pattern_is_in(pattern, clean) || pattern_is_in(pattern, label);
    free(label);
    free(position);
    free(clean);
    free(name);
    return found;
}

bool names_contain(const struct pattern *pattern, const struct identity_source *source,
                   const struct names_style *style)
{
    return is_in_name(pattern, source, names_of(source, style)) ||
           is_in_name(pattern, source, plain_name(source, style->long_name)) ||
           is_in_name(pattern, source, full_name(source, style->long_name));
}
