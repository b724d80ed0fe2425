/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/pairs-table.h"
#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/text.h"
#include "mlprof/view/measured.h"

#include <stdlib.h>

#define OUTSIDE   "<outside>"
#define NOT_KNOWN "<not known>"

static uint32_t named(const struct pairs_table_row *row)
{
    return row->named == PAIRS_TABLE_CALLER ? row->caller : row->callee;
}

/* The value for a name: null if the row is outside of the profile.  */
static struct table_value name_in(const struct view *view, uint32_t row)
{
    return row == ARCS_OTHERS ? table_text(ARCS_OTHERS_NAME)
                              : measured_name(view, view_row(view, row));
}

/* The cell of cur, which only the function between its neighbours has.  */
static char *cur_text(const struct view *view, const struct pairs_table_row *row)
{
    return row->named == PAIRS_TABLE_ITSELF
               ? view_percent(view, rows_whole(&view->rows->rows[row->caller]))
               : buf_copy("");
}

static char *relation_text(enum pairs_table_named named)
{
    static const char *const relations[] = {[PAIRS_TABLE_CALLER] = "from",
                                            [PAIRS_TABLE_CALLEE] = "to",
                                            [PAIRS_TABLE_ITSELF] = ""};
    return buf_copy(relations[named]);
}

#define OF_ROW                                                                           \
    const struct view *view = ((const struct pairs_table_of *)of)->view;                 \
    const struct pairs_table_row *row = at;                                              \
    (void)view

VALUE(caller, name_in(view, row->caller))
VALUE(caller_file, measured_file(view_row(view, row->caller)))
VALUE(caller_line, measured_line(view_row(view, row->caller)))
VALUE(callee, name_in(view, row->callee))
VALUE(callee_file, measured_file(view_row(view, row->callee)))
VALUE(callee_line, measured_line(view_row(view, row->callee)))
VALUE(samples, measured_samples(view, true, row->weight))
VALUE(time, measured_time(view, true, row->weight))
VALUE(bytes, measured_bytes(view, true, row->weight))
VALUE(calls, table_integer_if(row->counted, row->calls.count))
CELL(calls, measured_calls_cell(row->calls))
VALUE(least, table_integer_if(row->counted, row->calls.least))
CELL(least, text_commas((double)row->calls.least, 0))
VALUE(most, table_integer_if(row->counted, row->calls.most))
CELL(most, text_commas((double)row->calls.most, 0))
CELL(sure, measured_sure_cell(row->calls))
CELL(cur, cur_text(view, row))
CELL(stack, view_percent(view, row->weight))
CELL(amount, view_amount_cell(view, row->weight))
CELL(relation, relation_text(row->named))

/* Whether a column is on the terminal.  Counts stand in place of samples.  */
#define THERE(name, expression)                                                          \
    static bool name(const void *at)                                                     \
    {                                                                                    \
        const struct pairs_table_of *of = at;                                            \
        return expression;                                                               \
    }

THERE(is_peek, of->peek)
THERE(is_counted, of->view->rows->has_arcs)
THERE(has_bounds, is_counted(of) && of->estimated)
THERE(is_sampled, !is_counted(of))
THERE(has_cur, is_sampled(of) && of->peek)
THERE(has_amounts, is_sampled(of) && view_has_amounts(of->view))

TABLE_HEAD(self_head, view_self_head(((const struct pairs_table_of *)of)->view))
TABLE_HEAD(total_head, view_total_head(((const struct pairs_table_of *)of)->view))
TABLE_HEAD(amount_head, view_amount_head(((const struct pairs_table_of *)of)->view))

/* The order of the columns with an id is part of the formats.  Rows are sorted by
   neighbours.c, since -peek has three parts of them.  */
static const struct table_column columns[] = {
    TABLE_DATA("caller", "null: outside of the profile, or not known", caller),
    TABLE_DATA("caller_file", "where the caller is", caller_file),
    TABLE_DATA("caller_line", "where the caller starts", caller_line),
    {"callee", "null: outside of the profile, or not known", callee, .sort = VIEW_NAME},
    TABLE_DATA("callee_file", "where the callee is", callee_file),
    TABLE_DATA("callee_line", "where the callee starts", callee_line),
    TABLE_DATA("samples", "while the caller had called the callee", samples),
    TABLE_DATA("time_ns", "of these samples", time),
    TABLE_DATA("bytes", "allocated while the caller had called the callee", bytes),
    {"calls", "counted; an estimate between the next two if these differ", calls, "calls",
     40, .there = is_counted, .cell = calls_cell},
    {"calls_least", "no fewer calls than this", least, "least", 50, .there = has_bounds,
     .cell = least_cell},
    {"calls_most", "no more calls than this", most, "most", 60, .there = has_bounds,
     .cell = most_cell},
    /* The following columns are only on the terminal.  */
    TABLE_SHOWN(NULL, self_head, "of the function itself", 10, has_cur, cur_cell),
    TABLE_SHOWN(NULL, total_head, "of all samples, those with such a call on the stack",
                20, is_sampled, stack_cell),
    TABLE_SHOWN(NULL, amount_head, NULL, 30, has_amounts, amount_cell),
    TABLE_SHOWN("sure", NULL, "how much of most is certain", 70, has_bounds, sure_cell),
    {.head = "",
     .place = 80,
     .there = is_peek,
     .cell = relation_cell,
     .side = SHEET_TEXT,
     .mlton = -1},
    {0}};

static void put_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct view *view = ((const struct pairs_table_of *)of)->view;
    uint32_t row = named(at);
    if (row == STACKS_NONE)
        sheet_put(
            sheet,
            buf_copy(view->profile->stack || view->rows->has_arcs ? OUTSIDE : NOT_KNOWN));
    else if (row == ARCS_OTHERS)
        sheet_put(sheet, buf_copy(ARCS_OTHERS_NAME));
    else
        view_put_name(view, sheet, &view->rows->rows[row]);
}

const struct table_view pairs_table = {.name = "calls",
                                       .columns = columns,
                                       .names = {table_head_function, put_name},
                                       .names_mlton = -1};

/* The pairs of a table for data formats, and the context of its columns.  */
struct pairs {
    struct pairs_table_of of;
    struct pairs_table_row *list;
    size_t count, capacity;
    struct index index;
};

static struct pairs_table_row *put_pair(struct pairs *pairs, uint32_t caller,
                                        uint32_t callee)
{
    bool fresh;
    uint32_t number = index_put(&pairs->index, caller, callee, 0, &fresh);
    if (fresh) {
        pairs->list = buf_grow(pairs->list, &pairs->capacity, pairs->count + 1,
                               sizeof *pairs->list);
        pairs->list[pairs->count++] =
            (struct pairs_table_row){.caller = caller, .callee = callee};
    }
    return &pairs->list[number];
}

BUF_COMPARE(by_rows, struct pairs_table_row,
            BUF_ORDER(a->caller, b->caller) ?: BUF_ORDER(a->callee, b->callee))

static void add_counted(struct pairs *pairs, const struct arcs *arcs)
{
    struct arcs_neighbours neighbours;
    arcs_neighbours_begin(&neighbours, arcs);
    for (uint32_t i = 0; i < arcs->function_count; i++) {
        arcs_neighbours_find(&neighbours, arcs, i, ARCS_CALLERS);
        for (size_t k = 0; k < neighbours.count; k++) {
            struct pairs_table_row *pair = put_pair(pairs, neighbours.list[k].row, i);
            pair->calls = neighbours.list[k].calls;
            pair->counted = true;
        }
    }
    arcs_neighbours_free(&neighbours);
}

static void release_pairs(void *own)
{
    free(((struct pairs *)own)->list);
    free(own);
}

/* Makes the table of the pairs whose callee the pattern means, if CALLERS, otherwise
   whose caller.  */
static void fill(struct table *table, const struct view *view,
                 const struct pattern *asked, bool callers)
{
    const struct rows *rows = view->rows;
    struct pairs *pairs = buf_alloc(sizeof *pairs);
    *pairs = (struct pairs){.of.view = view};
    size_t count;
    const struct rows_edge *edges = rows_edges(rows, &count);
    for (size_t i = 0; i < count; i++)
        put_pair(pairs, edges[i].caller, edges[i].callee)->weight = edges[i].weight;
    if (view->arcs && view->arcs->function_count)
        add_counted(pairs, view->arcs);
    index_free(&pairs->index);
    BUF_SORT(pairs->list, pairs->count, by_rows);
    *table = (struct table){
        .view = &pairs_table, .of = &pairs->of, .own = pairs, .release = release_pairs};
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pairs_table_row *pair = &pairs->list[i];
        if (view_is_asked(view, asked,
                          view_row(view, callers ? pair->callee : pair->caller)))
            table_add(table, pair);
    }
}

void pairs_table_fill_callers(struct table *table, const struct view *view,
                              const struct pattern *asked)
{
    fill(table, view, asked, true);
}

void pairs_table_fill_callees(struct table *table, const struct view *view,
                              const struct pattern *asked)
{
    fill(table, view, asked, false);
}
