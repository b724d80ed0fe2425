/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/evaluate/names.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/demangle.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *names_of(const struct identity_source *source, const struct names_style *style)
{
    char *full = style->full_name ? demangle(source->symbol) : NULL;
    bool last = !style->long_name && source->file;
    if (full)
        return full;
    return buf_copy(last ? text_last_component(source->name) : source->name);
}

/* Ways to tell rows apart that are shown alike, in the order in which they are tried.  */
enum way { LAMBDA_LINE, LAMBDA_COLUMN, PARAMETERS, LINE, COLUMN, WAYS };

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
    const struct names_style full = {.long_name = style->long_name, .full_name = true};
    bool position = way != PARAMETERS, line_alone = way == LINE || way == LAMBDA_LINE;
    bool lambda = way == LAMBDA_LINE || way == LAMBDA_COLUMN;
    if ((lambda && !is_lambda(source)) || (line_alone && style->show_line))
        return NULL;
    char *name = names_of(source, lambda ? style : &full);
    return position ? with_position(name, source, !line_alone, way == COLUMN) : name;
}

static const char *keep(struct rows *rows, char *text)
{
    const char *kept =
        intern_text(&rows->stacks.names, intern_put(&rows->stacks.names, text));
    free(text);
    return kept;
}

/* By row, whether another one is shown alike; with their positions, if that is the style.
 */
static bool *find_alike(const struct rows *rows, const struct names_style *style)
{
    struct index index = {0};
    struct intern texts = {0};
    bool *alike = buf_alloc((rows->count + 1) * sizeof *alike);
    uint32_t *first = buf_alloc((rows->count + 1) * sizeof *first);
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct identity_source *source = &rows->rows[i].source;
        bool fresh, placed = style->show_line && source->file;
        uint32_t number =
            index_put(&index, intern_put(&texts, rows->rows[i].shown),
                      placed ? intern_put(&texts, source->file) : UINT32_MAX,
                      placed ? source->line : 0, &fresh);
        if (fresh)
            first[number] = i;
        else
            alike[i] = alike[first[number]] = true;
    }
    free(first);
    intern_free(&texts);
    index_free(&index);
    return alike;
}

void names_settle(struct rows *rows, const struct names_style *style)
{
    for (size_t i = 0; i < rows->count; i++)
        rows->rows[i].shown = keep(rows, names_of(&rows->rows[i].source, style));
    for (enum way way = 0; way < WAYS; way++) {
        bool *alike = find_alike(rows, style);
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
    char *name = names_of(source, &(struct names_style){.long_name = long_name});
    bool matches = matches_name(pattern, source, name) ||
                   (shown && matches_name(pattern, source, shown));
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
    const struct names_style plain = {.long_name = style->long_name};
    const struct names_style full = {.long_name = style->long_name, .full_name = true};
    return is_in_name(pattern, source, names_of(source, style)) ||
           is_in_name(pattern, source, names_of(source, &plain)) ||
           is_in_name(pattern, source, names_of(source, &full));
}
