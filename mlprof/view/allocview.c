/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/allocview.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sheet.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/imports.h"
#include "mlprof/names/library.h"
#include "mlprof/names/readable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sites that are shown as one; texts to be freed.  */
struct group {
    char *name, *position; /* of the site */
    char *type;
    char *allocator; /* by path: what was called of a library */
    uint64_t blocks, bytes;
};

static char *shown(const char *text)
{
    return text_clean(text[0] ? text : "?");
}

/* A type as the style writes names, with all its arguments however long: those that are
   written alike would be added up.  */
static char *type_of(const struct view *view, const char *type)
{
    char *clean = shown(type);
    if (view->style.names != NAMES_READABLE)
        return clean;
    char *text = readable(clean, 0);
    free(clean);
    return text;
}

static char *name_of(const struct view *view, uint32_t source)
{
    const struct rows *rows = view->rows;
    struct rows_row row = {.source = rows->stacks.sources[source]};
    if (source < rows->source_count && rows->of_source[source] != STACKS_NONE)
        row.shown = rows->rows[rows->of_source[source]].shown;
    return view_name(view, &row);
}

static char *position_of(const struct view *view, uint32_t number, const char *file,
                         uint32_t line)
{
    const struct identity_source *source = &view->rows->stacks.sources[number];
    if (!source->file)
        return buf_copy("");
    char *position = file && line ? buf_format("%s: %" PRIu32, file, line)
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

static int by_blocks(const void *one, const void *other)
{
    const struct group *a = one, *b = other;
    if (a->blocks != b->blocks)
        return a->blocks > b->blocks ? -1 : 1;
    return by_bytes(one, other);
}

static void free_group(struct group *group)
{
    free(group->name);
    free(group->position);
    free(group->type);
    free(group->allocator);
}

/* Adds up those that are shown alike; returns how many are left, in their order.  */
static size_t join(struct group *groups, size_t count, enum view_order order)
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
        qsort(groups, kept, sizeof *groups,
              order == VIEW_NAME     ? by_names
              : order == VIEW_BLOCKS ? by_blocks
                                     : by_bytes);
    return kept;
}

static struct group site_group(const struct view *view, const struct allocs_site *site)
{
    return (struct group){.name = name_of(view, site->source),
                          .position =
                              position_of(view, site->source, site->file, site->line),
                          .allocator = shown(site->site->allocator)};
}

/* The innermost frame that is the program's own, or else the outermost one.  */
static size_t own_frame(const struct view *view, const struct allocs_site *site,
                        const struct patterns *libraries)
{
    const struct identity_source *sources = view->rows->stacks.sources;
    size_t at = 0;
    while (at + 1 < site->frame_count &&
           library_has(&sources[site->frames[at].source], libraries))
        at++;
    return at;
}

static struct group path_group(const struct view *view, const struct allocs_site *site,
                               const struct patterns *libraries)
{
    const struct stacks *stacks = &view->rows->stacks;
    size_t at = own_frame(view, site, libraries);
    const struct allocs_frame *frame = &site->frames[at];
    const struct stacks_position *position = &stacks->positions[frame->position];
    return (struct group){
        .name = name_of(view, frame->source),
        .position = position_of(view, frame->source, position->file, position->line),
        .allocator = at ? name_of(view, site->frames[at - 1].source)
                        : shown(site->site->allocator)};
}

/* The function that the call outside of libraries calls.  */
static char *callee_of(const struct view *view, const struct allocs_site *call)
{
    const struct identity_source callee = {.name = call->site->allocator,
                                           .symbol = call->site->symbol};
    if (!call->site->allocator[0])
        return shown("");
    return view_name(view, &(struct rows_row){.source = callee});
}

static struct group call_group(const struct view *view, const struct allocs_site *call,
                               const struct patterns *libraries)
{
    struct group group = path_group(view, call, libraries);
    if (own_frame(view, call, libraries) == 0) {
        free(group.allocator);
        group.allocator = callee_of(view, call);
    }
    group.type = shown("");
    group.blocks = call->blocks;
    group.bytes = call->bytes;
    return group;
}

/* Whether calls have counted what library code has allocated for them, and no site or
   part of a stack was taken out meanwhile.  */
static bool goes_by_calls(const struct view *view, enum allocview_by by)
{
    return by == ALLOCVIEW_PATH && !view->rows->stacks.filtered;
}

static struct group group_of(const struct view *view, enum allocview_by by,
                             const struct allocs_site *site,
                             const struct patterns *libraries)
{
    struct group group = by == ALLOCVIEW_SITE ? site_group(view, site)
                         : by == ALLOCVIEW_PATH
                             ? path_group(view, site, libraries)
                             : (struct group){.name = buf_copy(""),
                                              .position = buf_copy(""),
                                              .allocator = buf_copy("")};
    bool rest = site->by_calls && goes_by_calls(view, by);
    group.type = type_of(view, site->site->type);
    group.blocks = rest ? site->rest_blocks : site->blocks;
    group.bytes = rest ? site->rest_bytes : site->bytes;
    return group;
}

static struct group *make_groups(const struct view *view, enum allocview_by by,
                                 const struct patterns *libraries, size_t *count)
{
    const struct allocs *allocs = &view->rows->stacks.allocs;
    struct group *groups =
        buf_alloc((allocs->count + allocs->call_count + 1) * sizeof *groups);
    size_t made = 0;
    for (size_t i = 0; i < allocs->count; i++) {
        groups[made] = group_of(view, by, &allocs->sites[i], libraries);
        if (groups[made].blocks || groups[made].bytes)
            made++;
        else
            free_group(&groups[made]);
    }
    for (size_t i = 0; goes_by_calls(view, by) && i < allocs->call_count; i++)
        groups[made++] = call_group(view, &allocs->calls[i], libraries);
    *count = join(groups, made, view->style.order);
    return groups;
}

static void add_columns(struct sheet *sheet, const struct view *view,
                        enum allocview_by by)
{
    sheet_column(sheet, "cur", SHEET_NUMBER, 3);
    if (view->style.raw || !view->style.mlton)
        sheet_column(sheet, view->style.mlton ? "raw" : "bytes", SHEET_NUMBER, 3);
    sheet_column(sheet, "blocks", SHEET_NUMBER, 3);
    if (by != ALLOCVIEW_TYPE)
        sheet_column(sheet, by == ALLOCVIEW_SITE ? "allocator" : "called", SHEET_TEXT, 2);
    sheet_column(sheet, "type", SHEET_TEXT, 1);
    if (by != ALLOCVIEW_TYPE)
        sheet_column(sheet, by == ALLOCVIEW_SITE ? "site" : "path", SHEET_TEXT, 0);
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
    if (by != ALLOCVIEW_TYPE)
        sheet_put(sheet, buf_copy(group->allocator));
    sheet_put(sheet, buf_copy(group->type));
    if (by != ALLOCVIEW_TYPE)
        sheet_put_name(sheet, buf_copy(group->name),
                       group->position[0] ? buf_copy(group->position) : NULL);
    free(bytes);
}

void allocview_print_header(FILE *out, const struct view *view)
{
    const struct allocs *allocs = &view->rows->stacks.allocs;
    uint64_t total = allocs->left_out;
    for (size_t i = 0; i < allocs->count; i++)
        total += allocs->sites[i].bytes;
    char *number = text_number(total, "byte");
    fprintf(out, "%s allocated%s\n", number, view->style.mlton ? " (0 bytes by GC)" : "");
    free(number);
}

void allocview_print(FILE *out, const struct view *view, enum allocview_by by,
                     const struct patterns *libraries)
{
    struct sheet sheet = {0};
    size_t count;
    struct group *groups = make_groups(view, by, libraries, &count);
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

/* What was allocated in local stacks in which no frame is the program's own, and for no
   call outside of libraries.  *KNOWN: it is counted for which.  */
static uint64_t libraries_alone(const struct view *view, const struct patterns *libraries,
                                bool *known)
{
    const struct stacks *stacks = &view->rows->stacks;
    uint64_t bytes = 0;
    bool by_calls = *known = goes_by_calls(view, ALLOCVIEW_PATH);
    for (size_t i = 0; i < stacks->allocs.count; i++) {
        const struct allocs_site *site = &stacks->allocs.sites[i];
        uint32_t source = site->frames[own_frame(view, site, libraries)].source;
        if (by_calls && site->by_calls) {
            bytes += site->rest_bytes;
        } else if (library_has(&stacks->sources[source], libraries)) {
            bytes += site->bytes;
            *known = false;
        }
    }
    return bytes;
}

/* Who called these functions of libraries.  */
static const char *text_of_callers(const struct view *view, bool known)
{
    if (known)
        return "what called them is not profiled";
    if (view->rows->stack && profile_measure(view->profile) == PROFILE_BYTES)
        return "who called them is told by column stack of the table (-sort stack)";
    return "who called them is not known; if compiled with\n"
           "-fplugin-arg-ccprof-profile=alloc and -fplugin-arg-ccprof-stack\n"
           "column stack of the table tells it (-sort stack)";
}

static bool has_strings(const struct view *view)
{
    for (size_t i = 0; i < view->program->count; i++) {
        const struct tables *tables = view->program->tables[i];
        if (tables && tables_allocations(tables)->count &&
            imports_strings(tables_path(tables)))
            return true;
    }
    return false;
}

void allocview_print_missing(FILE *out, const struct view *view, enum allocview_by by,
                             const struct patterns *libraries)
{
    bool known = false, strings = has_strings(view);
    uint64_t library =
        by == ALLOCVIEW_PATH ? libraries_alone(view, libraries, &known) : 0;
    if (library || strings)
        putc('\n', out);
    if (library) {
        char *bytes = text_number(library, "byte");
        fprintf(out, "%s in functions of libraries that were not inlined:\n%s\n", bytes,
                text_of_callers(view, known));
        free(bytes);
    }
    if (strings)
        fputs("not counted: what std::string allocates inside libstdc++; with -std=c++20 "
              "or\n-D_GLIBCXX_ASSERTIONS that is the program's own code, and counted\n",
              out);
}
