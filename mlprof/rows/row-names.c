/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/row-names.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

void row_names_settle(struct rows *rows, const struct names_style *style)
{
    for (size_t i = 0; i < rows->count; i++)
        rows->rows[i].shown = keep(rows, names_of(&rows->rows[i].source, style));
    for (enum names_way way = 0; way < NAMES_WAYS; way++) {
        bool *alike = find_alike(rows, style);
        if (!alike)
            break;
        for (size_t i = 0; i < rows->count; i++) {
            char *name =
                alike[i] ? names_tell_apart(&rows->rows[i].source, style, way) : NULL;
            if (name)
                rows->rows[i].shown = keep(rows, name);
        }
        free(alike);
    }
}
