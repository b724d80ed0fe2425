/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/allocs-table.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <stdlib.h>
#include <string.h>

/* The context of the columns.  */
struct of {
    const struct view *view;
    enum allocview_by by;
    uint64_t total; /* bytes that are 100 percent */
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

int allocs_table_by_texts(const void *one, const void *other)
{
    const struct allocs_table_row *a = one, *b = other;
    int order = strcmp(a->name, b->name);
    if (order == 0)
        order = strcmp(a->position, b->position);
    if (order == 0)
        order = strcmp(a->type, b->type);
    return order ? order : strcmp(a->allocator, b->allocator);
}

static bool has_amounts(const void *at)
{
    const struct of *of = at;
    return of->view->style.raw || !of->view->style.mlton;
}

static bool has_sites(const void *of)
{
    return ((const struct of *)of)->by != ALLOCVIEW_TYPE;
}

static const char *amount_head(const void *of)
{
    return ((const struct of *)of)->view->style.mlton ? "raw" : "bytes";
}

static const char *allocator_head(const void *of)
{
    return ((const struct of *)of)->by == ALLOCVIEW_SITE ? "allocator" : "called";
}

static char *amount_text(const struct view *view, uint64_t bytes)
{
    BUF_OWN char *number = text_commas((double)bytes, 0);
    return buf_format(view->style.mlton ? "(%s)" : "%s", number);
}

/* Declares the variables of the expressions below.  */
#define OF_ROW                                                                           \
    const struct view *view = ((const struct of *)of)->view;                             \
    uint64_t total = ((const struct of *)of)->total;                                     \
    const struct allocs_table_row *row = at;                                             \
    const struct allocs_site *site = row->site;                                          \
    (void)view, (void)total, (void)site

#define VALUE(name, expression) TABLE_VALUE(name, OF_ROW, expression)

#define CELL(name, expression) TABLE_CELL(name, OF_ROW, expression)

VALUE(function, row->source == STACKS_NONE
                    ? table_text(NULL)
                    : table_text_freed(allocs_table_name(view, row->source)))
VALUE(file, table_text(row->file))
VALUE(line, table_integer_if(row->line, row->line))
VALUE(column, table_integer_if(row->column, row->column))
VALUE(type, allocs_table_known(row->type ? row->type : site->site->type))
CELL(type, buf_copy(row->type))
VALUE(allocator,
      allocs_table_known(row->allocator ? row->allocator : site->site->allocator))
CELL(allocator, buf_copy(row->allocator))
VALUE(bytes, table_integer(row->bytes))
CELL(bytes, amount_text(view, row->bytes))
CELL(share, buf_format("%.1f%%", rows_percent(row->bytes, total)))
VALUE(blocks, table_integer(row->blocks))
CELL(blocks, text_commas((double)row->blocks, 0))

/* The order of the columns with an id is part of the formats.  */
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
    {"allocations", "blocks", blocks, "blocks", 30, .cell = blocks_cell,
     .sort = VIEW_BLOCKS},
    /* The following columns are only on the terminal.  */
    {.means = "of all bytes",
     .value = bytes,
     .head = "self",
     .place = 10,
     .cell = share_cell,
     .sort = VIEW_BYTES},
    {.sort = VIEW_NAME, .order = allocs_table_by_texts},
    {0}};

static const char *noun(const void *of)
{
    return allocs_table_noun(((const struct of *)of)->by);
}

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
/* In the table by type, the type is the name of a row.  */
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
    BUF_OWN struct of *of = own;
    for (size_t i = 0; i < of->count; i++)
        allocs_table_free_texts(&of->rows[i]);
    free(of->rows);
}

uint64_t allocs_table_make(struct table *table, const struct view *view,
                           enum allocview_by by, struct allocs_table_row *rows,
                           size_t count)
{
    struct of *of = buf_alloc(sizeof *of);
    *of = (struct of){view, by, view->rows->stacks.allocs.left_out, rows, count};
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
