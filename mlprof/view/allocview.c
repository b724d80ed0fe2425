/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/allocview.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/layout.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sites that are shown as one; texts to be freed.  */
struct group {
    char *position, *type, *allocator;
    uint64_t blocks, bytes;
};

static char *shown(const char *text)
{
    return text_clean(text[0] ? text : "?");
}

static char *position_of(const struct view *view, const struct allocs_site *site)
{
    const struct identity_source *source = &view->rows->stacks.sources[site->source];
    const struct rows *rows = view->rows;
    struct rows_row row = {.source = *source};
    if (site->source < rows->source_count && rows->of_source[site->source] != STACKS_NONE)
        row.shown = rows->rows[rows->of_source[site->source]].shown;
    char *name = view_name(view, &row);
    if (!source->file)
        return name;
    char *position = site->file && site->line
                         ? buf_format("%s  %s: %" PRIu32, name, site->file, site->line)
                         : buf_format("%s  %s: ?", name, source->file);
    char *clean = text_clean(position);
    free(position);
    free(name);
    return clean;
}

static int by_texts(const struct group *a, const struct group *b)
{
    int order = strcmp(a->position, b->position);
    if (order == 0)
        order = strcmp(a->type, b->type);
    return order ? order : strcmp(a->allocator, b->allocator);
}

static int by_names(const void *one, const void *other)
{
    return by_texts(one, other);
}

static int by_bytes(const void *one, const void *other)
{
    const struct group *a = one, *b = other;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    if (a->blocks != b->blocks)
        return a->blocks > b->blocks ? -1 : 1;
    return by_texts(a, b);
}

static void free_group(struct group *group)
{
    free(group->position);
    free(group->type);
    free(group->allocator);
}

/* Adds up those that are shown alike; returns how many are left.  */
static size_t join(struct group *groups, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(groups, count, sizeof *groups, by_names);
    for (size_t i = 0; i < count; i++) {
        if (kept && by_texts(&groups[kept - 1], &groups[i]) == 0) {
            groups[kept - 1].bytes += groups[i].bytes;
            groups[kept - 1].blocks += groups[i].blocks;
            free_group(&groups[i]);
        } else {
            groups[kept++] = groups[i];
        }
    }
    if (kept)
        qsort(groups, kept, sizeof *groups, by_bytes);
    return kept;
}

static struct group *make_groups(const struct view *view, enum allocview_by by,
                                 size_t *count)
{
    const struct allocs *allocs = &view->rows->stacks.allocs;
    struct group *groups = buf_alloc((allocs->count + 1) * sizeof *groups);
    bool by_site = by == ALLOCVIEW_SITE;
    for (size_t i = 0; i < allocs->count; i++) {
        const struct allocs_site *site = &allocs->sites[i];
        groups[i] = (struct group){
            .position = by_site ? position_of(view, site) : buf_copy(""),
            .type = shown(site->site->type),
            .allocator = by_site ? shown(site->site->allocator) : buf_copy(""),
            .blocks = site->blocks,
            .bytes = site->bytes};
    }
    *count = join(groups, allocs->count);
    return groups;
}

/* The cells of a row; returns the end of them.  */
static char **put_row(char **cell, const struct view *view, enum allocview_by by,
                      const struct group *group, double percent)
{
    if (by == ALLOCVIEW_SITE)
        *cell++ = buf_copy(group->position);
    *cell++ = buf_copy(group->type);
    if (by == ALLOCVIEW_SITE)
        *cell++ = buf_copy(group->allocator);
    *cell++ = buf_format("%.1f%%", percent);
    if (view->style.raw) {
        char *bytes = text_commas((double)group->bytes, 0);
        *cell++ = buf_format("(%s)", bytes);
        free(bytes);
    }
    *cell++ = text_commas((double)group->blocks, 0);
    return cell;
}

static size_t put_heads(const char **head, const struct view *view, enum allocview_by by)
{
    const char **first = head;
    if (by == ALLOCVIEW_SITE)
        *head++ = "site";
    *head++ = "type";
    if (by == ALLOCVIEW_SITE)
        *head++ = "allocator";
    *head++ = "cur";
    if (view->style.raw)
        *head++ = "raw";
    *head++ = "blocks";
    return (size_t)(head - first);
}

#define MOST_COLUMNS 6

void allocview_print(FILE *out, const struct view *view, enum allocview_by by)
{
    const char *heads[MOST_COLUMNS];
    size_t count, columns = put_heads(heads, view, by), rows = 0;
    struct group *groups = make_groups(view, by, &count);
    char **cells = buf_alloc((count * columns + 1) * sizeof *cells), **cell = cells;
    uint64_t total = view->rows->stacks.allocs.left_out;

    for (size_t i = 0; i < count; i++)
        total += groups[i].bytes;
    for (size_t i = 0; i < count; i++) {
        double percent = rows_percent(groups[i].bytes, total);
        if (percent >= view->style.thresh) {
            cell = put_row(cell, view, by, &groups[i], percent);
            rows++;
        }
        free_group(&groups[i]);
    }
    layout_print(out, heads, columns, cells, rows);
    while (cell > cells)
        free(*--cell);
    free(cells);
    free(groups);
}
