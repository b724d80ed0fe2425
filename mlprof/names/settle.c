/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/names/settle.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether both are copies of one function (stacks-split.h), which are not told apart.  */
static bool is_same(const struct identity_source *a, const struct identity_source *b)
{
    return is_same_text(a->name, b->name) && is_same_text(a->symbol, b->symbol) &&
           is_same_text(a->file, b->file) && is_same_text(a->directory, b->directory) &&
           a->line == b->line && a->column == b->column;
}

/* By name: whether another function has this name in views, with positions if the style
   has them.  NULL: there are none.  */
static bool *find_alike(const struct settle_name *names, size_t count,
                        const struct names_style *style)
{
    struct index index = {0};
    struct intern files = {0};
    bool *alike = buf_alloc((count + 1) * sizeof *alike), any = false;
    uint32_t *first = buf_alloc((count + 1) * sizeof *first);
    uint32_t *like = buf_alloc((count + 1) * sizeof *like);
    for (uint32_t i = 0; i < count; i++) {
        const struct identity_source *source = names[i].source;
        bool fresh, placed = style->show_line && source->file;
        uint32_t number =
            index_put(&index, (uintptr_t)names[i].shown,
                      placed ? intern_put(&files, source->file) : UINT32_MAX,
                      placed ? source->line : 0, &fresh);
        if (fresh)
            first[number] = i;
        like[i] = first[number];
        if (!fresh && !is_same(names[like[i]].source, source))
            any = alike[like[i]] = true;
    }
    for (uint32_t i = 0; i < count; i++)
        alike[i] = alike[like[i]];
    free(like);
    free(first);
    intern_free(&files);
    index_free(&index);
    if (any)
        return alike;
    free(alike);
    return NULL;
}

void settle_names(struct settle_name *names, size_t count, struct intern *texts,
                  const struct names_style *style)
{
    for (size_t i = 0; i < count; i++)
        names[i].shown = intern_keep(texts, names_of(names[i].source, style));
    for (enum names_way way = 0; way < NAMES_WAYS; way++) {
        bool *alike = find_alike(names, count, style);
        if (!alike)
            break;
        for (size_t i = 0; i < count; i++) {
            char *name = alike[i] ? names_tell_apart(names[i].source, style, way) : NULL;
            if (name)
                names[i].shown = intern_keep(texts, name);
        }
        free(alike);
    }
}
