/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/allocview.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sheet.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sites that are shown as one; texts to be freed.  */
struct group {
    char *name, *position; /* of the site */
    char *type, *allocator;
    uint64_t blocks, bytes;
};

static char *shown(const char *text)
{
    return text_clean(text[0] ? text : "?");
}

static char *name_of(const struct view *view, const struct allocs_site *site)
{
    const struct rows *rows = view->rows;
    struct rows_row row = {.source = rows->stacks.sources[site->source]};
    if (site->source < rows->source_count && rows->of_source[site->source] != STACKS_NONE)
        row.shown = rows->rows[rows->of_source[site->source]].shown;
    return view_name(view, &row);
}

static char *position_of(const struct view *view, const struct allocs_site *site)
{
    const struct identity_source *source = &view->rows->stacks.sources[site->source];
    if (!source->file)
        return buf_copy("");
    char *position = site->file && site->line
                         ? buf_format("%s: %" PRIu32, site->file, site->line)
                         : buf_format("%s: ?", source->file);
    char *clean = text_clean(position);
    free(position);
    return clean;
}

static int by_texts(const struct group *a, const struct group *b)
{
    int order = strcmp(a->name, b->name);
    if (order == 0)
        order = strcmp(a->position, b->position);
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
    free(group->name);
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
            .name = by_site ? name_of(view, site) : buf_copy(""),
            .position = by_site ? position_of(view, site) : buf_copy(""),
            .type = shown(site->site->type),
            .allocator = by_site ? shown(site->site->allocator) : buf_copy(""),
            .blocks = site->blocks,
            .bytes = site->bytes};
    }
    *count = join(groups, allocs->count);
    return groups;
}

static void add_columns(struct sheet *sheet, const struct view *view,
                        enum allocview_by by)
{
    sheet_column(sheet, "cur", SHEET_NUMBER, 3);
    if (view->style.raw || !view->style.mlton)
        sheet_column(sheet, view->style.mlton ? "raw" : "bytes", SHEET_NUMBER, 3);
    sheet_column(sheet, "blocks", SHEET_NUMBER, 3);
    if (by == ALLOCVIEW_SITE)
        sheet_column(sheet, "allocator", SHEET_TEXT, 2);
    sheet_column(sheet, "type", SHEET_TEXT, 1);
    if (by == ALLOCVIEW_SITE)
        sheet_column(sheet, "site", SHEET_TEXT, 0);
}

static void put_row(struct sheet *sheet, const struct view *view, enum allocview_by by,
                    const struct group *group, double percent)
{
    char *bytes = text_commas((double)group->bytes, 0);
    sheet_put(sheet, buf_format("%.1f%%", percent));
    if (!view->style.mlton)
        sheet_put(sheet, buf_copy(bytes));
    else if (view->style.raw)
        sheet_put(sheet, buf_format("(%s)", bytes));
    sheet_put(sheet, text_commas((double)group->blocks, 0));
    if (by == ALLOCVIEW_SITE)
        sheet_put(sheet, buf_copy(group->allocator));
    sheet_put(sheet, buf_copy(group->type));
    if (by == ALLOCVIEW_SITE)
        sheet_put_name(sheet, buf_copy(group->name),
                       group->position[0] ? buf_copy(group->position) : NULL);
    free(bytes);
}

void allocview_print(FILE *out, const struct view *view, enum allocview_by by)
{
    struct sheet sheet = {0};
    size_t count;
    struct group *groups = make_groups(view, by, &count);
    uint64_t total = view->rows->stacks.allocs.left_out;

    add_columns(&sheet, view, by);
    for (size_t i = 0; i < count; i++)
        total += groups[i].bytes;
    for (size_t i = 0; i < count; i++) {
        double percent = rows_percent(groups[i].bytes, total);
        if (percent >= view->style.thresh && i < view_top(view, count))
            put_row(&sheet, view, by, &groups[i], percent);
        free_group(&groups[i]);
    }
    sheet_print(out, &sheet, view->style.mlton);
    free(groups);
}
