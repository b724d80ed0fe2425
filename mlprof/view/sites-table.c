/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/sites-table.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/view/measured.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* VALUE, or null if it is 0, which means unknown.  */
static struct table_value known(uint64_t value)
{
    return table_integer_if(value != 0, value);
}

static char *line_text(uint32_t line)
{
    return line ? buf_format("%" PRIu32, line) : buf_copy("?");
}

/* Declares the variables of the expressions below.  */
#define OF_ROW                                                                           \
    const struct view *view = of;                                                        \
    const struct sites_table_row *row = at;                                              \
    const struct arcs_site *site = row->site;                                            \
    (void)view, (void)site

#define VALUE(name, expression) TABLE_VALUE(name, OF_ROW, expression)

#define CELL(name, expression) TABLE_CELL(name, OF_ROW, expression)

VALUE(caller, table_text_freed(view_name(view, &view->rows->rows[site->row])))
VALUE(file, table_text(site->position.file))
VALUE(line, known(site->position.line))
CELL(line, line_text(site->position.line))
VALUE(column, known(site->position.column))
VALUE(indirect, table_bool(!site->symbol))
VALUE(callee, table_text_freed(row->callee ? view_name(view, row->callee) : NULL))
VALUE(symbol, table_text(site->symbol))
VALUE(calls, table_integer(row->calls.count))
CELL(calls, measured_calls_cell(row->calls))
CELL(least, text_commas((double)row->calls.least, 0))
CELL(most, text_commas((double)row->calls.most, 0))
CELL(sure, measured_sure_cell(row->calls))

/* For sorting by the names of callees; callees without a row come last.  */
static int by_name(const void *one, const void *other)
{
    const struct sites_table_row *a = one, *b = other;
    return a->other && b->other ? strcmp(a->other, b->other)
           : a->other           ? 1
           : b->other           ? -1
                                : view_by_name(a->callee, b->callee);
}

/* The order of the columns with an id is part of the formats.  */
static const struct table_column columns[] = {
    TABLE_DATA("caller", "that the call is in", caller),
    TABLE_DATA("file", "where the call is", file),
    {"line", "where the call is", line, "line", 50, .cell = line_cell, .mlton = -2},
    TABLE_DATA("column", "where the call is", column),
    TABLE_DATA("indirect", "through a pointer", indirect),
    {"callee", "null: outside, or not known", callee, .sort = VIEW_NAME,
     .order = by_name},
    TABLE_DATA("symbol", "of a direct call", symbol),
    {"calls", "how often", calls, "calls", 10, .cell = calls_cell, .sort = VIEW_CALLS},
    /* The following columns are only on the terminal.  */
    TABLE_SHOWN("least", NULL, "no fewer calls than this", 20, NULL, least_cell),
    TABLE_SHOWN("most", NULL, "no more calls than this", 30, NULL, most_cell),
    TABLE_SHOWN("sure", NULL, "how much of most is certain", 40, NULL, sure_cell),
    {0}};

static void put_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct sites_table_row *row = at;
    if (row->other)
        sheet_put(sheet, buf_copy(row->other));
    else
        view_put_name(of, sheet, row->callee);
}

const struct table_view sites_table = {.name = "call_sites",
                                       .columns = columns,
                                       .names = {table_head_function, put_name},
                                       .names_mlton = -1};

static struct sites_table_row called(const struct view *view,
                                     const struct arcs_site *site, uint32_t callee,
                                     uint64_t calls)
{
    return (struct sites_table_row){
        .site = site, .callee = view_row(view, callee), .calls = {calls, calls, calls}};
}

/* Adds the rows of each call site.  An indirect call has a row for each target that was
   counted, and one for the calls that are left.  */
void sites_table_fill(struct table *table, const struct view *view,
                      const struct pattern *asked)
{
    const struct arcs *arcs = view->arcs;
    struct sites_table_row *list = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; arcs && i < arcs->count; i++) {
        const struct arcs_site *site = &arcs->sites[i];
        uint64_t left = site->count;
        if (!view_is_asked(view, asked, view_row(view, site->row)))
            continue;
        list = buf_grow(list, &capacity, count + site->target_count + 1, sizeof *list);
        for (size_t k = 0; k < site->target_count; k++) {
            const struct arcs_target *target =
                &arcs->targets_counted[site->first_target + k];
            list[count++] = called(view, site, target->callee, target->count);
            left -= target->count < left ? target->count : left;
        }
        if (left || !site->target_count)
            list[count++] = called(view, site, site->callee, left);
    }
    for (size_t i = 0; i < count; i++)
        table_add(table, &list[i]);
    table->own = list;
    table->release = free;
}
