/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/symbols.h"
#include "mlprof/names/identity.h"
#include "mlprof/names/readable.h"
#include "mlprof/view/allocview.h"
#include "mlprof/view/view.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The context of the columns.  */
struct context {
    const struct view *view;
    enum allocview_by by;
    uint64_t total; /* total number of bytes, for percentages */
    struct allocs_table_row *rows;
    size_t count;
};

char *allocs_table_name(const struct view *view, uint32_t source)
{
    const struct rows *rows = view->rows;
    struct rows_row row = {.source = rows->stacks.sources[source]};
    if (source < rows->source_count && rows->of_source[source] != STACKS_NONE)
        row.shown = rows->rows[rows->of_source[source]].shown;
    return view_name(view, &row);
}

struct table_value allocs_table_known(const char *text)
{
    return table_text(*text && strcmp(text, "?") != 0 ? text : NULL);
}

const char *allocs_table_noun(enum allocview_by by)
{
    return by == ALLOCVIEW_SITE ? "site" : by == ALLOCVIEW_PATH ? "path" : "type";
}

static int by_texts(const void *one, const void *other)
{
    const struct allocs_table_row *a = one, *b = other;
    int order = strcmp(a->name, b->name);
    if (order == 0)
        order = strcmp(a->position, b->position);
    if (order == 0)
        order = strcmp(a->type, b->type);
    return order ? order : strcmp(a->allocator, b->allocator);
}

#define OF ((const struct context *)of)

TABLE_PRESENT(has_amounts, OF->view->style.raw || !OF->view->style.mlton)
TABLE_PRESENT(has_sites, OF->by != ALLOCVIEW_TYPE)
TABLE_HEAD(amount_head, OF->view->style.mlton ? "raw" : "bytes")
TABLE_HEAD(allocator_head, OF->by == ALLOCVIEW_SITE ? "allocator" : "called")

static char *amount_text(const struct view *view, uint64_t bytes)
{
    BUF_OWN char *number = text_commas((double)bytes, 0);
    return buf_format(view->style.mlton ? "(%s)" : "%s", number);
}

#define OF_ROW                                                                           \
    const struct view *view = OF->view;                                                  \
    uint64_t total = OF->total;                                                          \
    const struct allocs_table_row *row = at;                                             \
    const struct allocs_site *site = row->site;                                          \
    (void)view, (void)total, (void)site

VIEW_VALUE(function, row->source == STACKS_NONE
                         ? table_text(NULL)
                         : table_text_freed(allocs_table_name(view, row->source)))
VIEW_VALUE(file, table_text(sourcefile_name(row->file)))
VIEW_VALUE(line, table_integer_if(row->line, row->line))
VIEW_VALUE(column, table_integer_if(row->column, row->column))
VIEW_VALUE(type, allocs_table_known(row->type ? row->type : site->site->type))
VIEW_CELL(type, buf_copy(row->type))
VIEW_VALUE(allocator,
           allocs_table_known(row->allocator ? row->allocator : site->site->allocator))
VIEW_CELL(allocator, buf_copy(row->allocator))
VIEW_VALUE(bytes, table_integer(row->bytes))
VIEW_CELL(bytes, amount_text(view, row->bytes))
VIEW_CELL(share, buf_format("%.1f%%", rows_percent(row->bytes, total)))
VIEW_VALUE(blocks, table_integer(row->blocks))

/* The order of columns with an ID is part of the data formats.  */
static const struct table_column columns[] = {
    TABLE_DATA("function", "that allocates", function),
    TABLE_DATA("file", "of the call that allocates", file),
    TABLE_DATA("line", "of that call", line),
    TABLE_DATA("column", "of that call", column),
    {"type", "of what is allocated, if it is known", type, "type", 50, has_sites,
     type_cell, .side = SHEET_TEXT, .mlton = -2},
    {"allocator", "the function that is called", allocator, "allocator", 40, has_sites,
     allocator_cell, .head_of = allocator_head, .side = SHEET_TEXT, .mlton = -1},
    {"bytes", "that were allocated there", bytes, "bytes", 20, has_amounts, bytes_cell,
     .head_of = amount_head},
    {"allocations", "blocks", blocks, "blocks", 30, .sort = VIEW_BLOCKS},
    /* The columns below exist only on the terminal.  */
    TABLE_COLUMN(NULL, "of all bytes", bytes, "self", 10, .cell = share_cell,
                 .sort = VIEW_BYTES),
    {.sort = VIEW_NAME, .order = by_texts},
    {0}};

TABLE_HEAD(noun, allocs_table_noun(OF->by))

static void put_site(const void *of, struct sheet *sheet, const void *at)
{
    const struct allocs_table_row *row = at;
    (void)of;
    sheet_put_name(sheet, buf_copy(row->name),
                   row->position[0] ? buf_copy(row->position) : NULL);
}

static void put_type(const void *of, struct sheet *sheet, const void *row)
{
    sheet_put(sheet, type_cell(of, row));
}

const struct table_view allocs_table = {.name = "allocations",
                                        .columns = columns,
                                        .names = {noun, put_site},
                                        .names_mlton = -2};
/* In the list by type, the type is the row's name.  */
static const struct table_view types_table = {
    .name = "types", .columns = columns, .names = {noun, put_type}};

void allocs_table_free_texts(struct allocs_table_row *row)
{
    free(row->name);
    free(row->position);
    free(row->type);
    free(row->allocator);
}

static void release(void *own)
{
    BUF_OWN struct context *of = own;
    for (size_t i = 0; i < of->count; i++)
        allocs_table_free_texts(&of->rows[i]);
    free(of->rows);
}

uint64_t allocs_table_make(struct table *table, const struct view *view,
                           enum allocview_by by, struct allocs_table_row *rows,
                           size_t count)
{
    struct context *of = buf_alloc(sizeof *of);
    *of = (struct context){view, by, view->rows->stacks.allocs.left_out, rows, count};
    *table = (struct table){.view = by == ALLOCVIEW_TYPE ? &types_table : &allocs_table,
                            .of = of,
                            .own = of,
                            .release = release};
    for (size_t i = 0; i < count; i++) {
        of->total += rows[i].bytes;
        table_add(table, &rows[i]);
    }
    return of->total;
}

static char *shown(const char *text)
{
    return text_clean(text[0] ? text : "?");
}

static char *position_of(const struct view *view, uint32_t number, const char *file,
                         uint32_t line)
{
    const struct identity_source *source = &view->rows->stacks.sources[number];
    if (!source->file)
        return buf_copy("");
    BUF_OWN char *position = file && line
                                 ? buf_format("%s: %" PRIu32, sourcefile_name(file), line)
                                 : buf_format("%s: ?", sourcefile_name(source->file));
    return text_clean(position);
}

/* Adds up rows with the same texts.  Returns the remaining number of rows, which are
   sorted by their texts.  */
static size_t join(struct allocs_table_row *rows, size_t count)
{
    size_t kept = 0;
    BUF_SORT(rows, count, by_texts);
    for (size_t i = 0; i < count; i++) {
        if (kept && by_texts(&rows[kept - 1], &rows[i]) == 0) {
            rows[kept - 1].bytes += rows[i].bytes;
            rows[kept - 1].blocks += rows[i].blocks;
            allocs_table_free_texts(&rows[i]);
        } else {
            rows[kept++] = rows[i];
        }
    }
    return kept;
}

/* Returns a row for SITE without texts.  */
static struct allocs_table_row bare_row(const struct allocs_site *site)
{
    return (struct allocs_table_row){.site = site,
                                     .blocks = site->blocks,
                                     .bytes = site->bytes,
                                     .source = site->source,
                                     .file = site->file,
                                     .line = site->line,
                                     .column = site->column};
}

/* Returns the index of the innermost frame outside of libraries.  If there is none,
   returns the index of the outermost frame.  */
static size_t own_frame(const struct view *view, const struct allocs_site *site)
{
    const struct identity_source *sources = view->rows->stacks.sources;
    size_t at = 0;
    while (at + 1 < site->frame_count &&
           library_has(&sources[site->frames[at].source], view->libraries))
        at++;
    return at;
}

static struct allocs_table_row path_row(const struct view *view,
                                        const struct allocs_site *site)
{
    const struct stacks *stacks = &view->rows->stacks;
    size_t at = own_frame(view, site);
    const struct allocs_frame *frame = &site->frames[at];
    const struct stacks_position *position = &stacks->positions[frame->position];
    return (struct allocs_table_row){
        .source = frame->source,
        .file = position->file,
        .line = position->line,
        .column = position->column,
        .name = allocs_table_name(view, frame->source),
        .position = position_of(view, frame->source, position->file, position->line),
        .allocator = at ? allocs_table_name(view, site->frames[at - 1].source)
                        : shown(site->site->allocator)};
}

static struct allocs_table_row call_row(const struct view *view,
                                        const struct allocs_site *call)
{
    struct allocs_table_row row = path_row(view, call);
    if (own_frame(view, call) == 0) {
        const struct identity_source callee = {.name = call->site->allocator,
                                               .symbol = call->site->symbol};
        free(row.allocator);
        row.allocator = callee.name[0]
                            ? view_name(view, &(struct rows_row){.source = callee})
                            : shown("");
    }
    row.site = call;
    row.type = shown("");
    row.blocks = call->blocks;
    row.bytes = call->bytes;
    return row;
}

/* Returns whether calls into libraries have rows of their own, with the memory that
   libraries allocate during these calls.  They have rows in the list by path, unless
   allocation sites or stacks were filtered.  */
static bool has_rows_of_calls(const struct view *view, enum allocview_by by)
{
    return by == ALLOCVIEW_PATH && !view->rows->stacks.filtered;
}

static struct allocs_table_row row_of(const struct view *view, enum allocview_by by,
                                      const struct allocs_site *site)
{
    BUF_OWN char *type = shown(site->site->type);
    bool rest = site->by_calls && has_rows_of_calls(view, by);
    struct allocs_table_row row;
    if (by == ALLOCVIEW_SITE) {
        row = bare_row(site);
        row.name = allocs_table_name(view, site->source);
        row.position = position_of(view, site->source, site->file, site->line);
        row.allocator = shown(site->site->allocator);
    } else if (by == ALLOCVIEW_PATH) {
        row = path_row(view, site);
    } else {
        row = (struct allocs_table_row){.source = STACKS_NONE,
                                        .name = buf_copy(""),
                                        .position = buf_copy(""),
                                        .allocator = buf_copy("")};
    }
    row.site = site;
    /* Template arguments are always kept, because types with the same text are added
       up.  */
    row.type = view->style.names == NAMES_READABLE ? readable(type, 0) : buf_copy(type);
    row.blocks = rest ? site->rest_blocks : site->blocks;
    row.bytes = rest ? site->rest_bytes : site->bytes;
    return row;
}

struct allocs_table_row *allocs_table_rows(const struct view *view, enum allocview_by by,
                                           size_t *count)
{
    const struct allocs *allocs = &view->rows->stacks.allocs;
    struct allocs_table_row *rows =
        buf_alloc((allocs->count + allocs->call_count + 1) * sizeof *rows);
    size_t made = 0;
    for (size_t i = 0; i < allocs->count; i++) {
        rows[made] = row_of(view, by, &allocs->sites[i]);
        if (rows[made].blocks || rows[made].bytes)
            made++;
        else
            allocs_table_free_texts(&rows[made]);
    }
    for (size_t i = 0; has_rows_of_calls(view, by) && i < allocs->call_count; i++)
        rows[made++] = call_row(view, &allocs->calls[i]);
    *count = join(rows, made);
    return rows;
}

uint64_t allocs_table_libraries_alone(const struct view *view, bool *known)
{
    const struct stacks *stacks = &view->rows->stacks;
    uint64_t bytes = 0;
    bool by_calls = *known = has_rows_of_calls(view, ALLOCVIEW_PATH);
    for (size_t i = 0; i < stacks->allocs.count; i++) {
        const struct allocs_site *site = &stacks->allocs.sites[i];
        uint32_t source = site->frames[own_frame(view, site)].source;
        if (by_calls && site->by_calls) {
            bytes += site->rest_bytes;
        } else if (library_has(&stacks->sources[source], view->libraries)) {
            bytes += site->bytes;
            *known = false;
        }
    }
    return bytes;
}

void allocs_table_fill(struct table *table, const struct view *view,
                       const struct pattern *pattern)
{
    const struct allocs *allocs = &view->rows->stacks.allocs;
    size_t count;
    (void)pattern;
    if (view->style.allocs > ALLOCVIEW_SITE) {
        struct allocs_table_row *joined =
            allocs_table_rows(view, view->style.allocs, &count);
        allocs_table_make(table, view, view->style.allocs, joined, count);
        table_sort(table, VIEW_BYTES);
        return;
    }
    struct allocs_table_row *rows = buf_alloc((allocs->count + 1) * sizeof *rows);
    for (size_t i = 0; i < allocs->count; i++)
        rows[i] = bare_row(&allocs->sites[i]);
    allocs_table_make(table, view, ALLOCVIEW_SITE, rows, allocs->count);
}
