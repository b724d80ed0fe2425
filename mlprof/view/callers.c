/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the direct callers or callees of functions, for -callers and -callees, and
   functions between both, in one table each, for -peek.  */

#define _GNU_SOURCE
#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/view/measured.h"
#include "mlprof/view/pairs-table.h"
#include "mlprof/view/views.h"

#include <stdlib.h>

enum side { CALLERS, CALLEES };

/* The callers or callees of a function that are shown.  */
struct neighbours {
    const struct view *view;
    enum side side;
    /* In the order of the style: by name, or by decreasing weight.  */
    struct pairs_table_row *found;
    size_t count;
    /* The rows' edges, grouped by the row on the other side than SIDE.  */
    struct groups edges;
    struct arcs_neighbours arcs; /* used in place of EDGES if calls were counted */
};

static uint32_t other_of(const struct neighbours *neighbours,
                         const struct pairs_table_row *pair)
{
    return neighbours->side == CALLERS ? pair->caller : pair->callee;
}

static bool has_name(uint32_t row)
{
    return row != STACKS_NONE && row != ARCS_OTHERS;
}

/* For qsort_r: by name if the style wants that, otherwise by decreasing weight.
   ARCS_OTHERS comes last.  */
static int by_order(const void *one, const void *other, void *neighbours)
{
    const struct pairs_table_row *a = one, *b = other;
    const struct view *view = ((const struct neighbours *)neighbours)->view;
    uint32_t row = other_of(neighbours, a), than = other_of(neighbours, b);
    bool by_name = view->style.order == VIEW_NAME;
    return BUF_ORDER(row == ARCS_OTHERS, than == ARCS_OTHERS)
           ?: (by_name ? BUF_ORDER(has_name(than), has_name(row)) : 0)
           ?: (by_name && has_name(row)
                   ? view_by_name(&view->rows->rows[row], &view->rows->rows[than])
                   : 0)
           ?: BUF_ORDER(b->weight, a->weight) ?: BUF_ORDER(row, than);
}

/* Adds the neighbour OTHER of ROW if its weight reaches the threshold.  */
static void add(struct neighbours *neighbours, uint32_t row, uint32_t other,
                struct arcs_calls calls)
{
    bool callers = neighbours->side == CALLERS;
    if (view_reaches(neighbours->view, calls.count))
        neighbours->found[neighbours->count++] = (struct pairs_table_row){
            .caller = callers ? other : row,
            .callee = callers ? row : other,
            .weight = calls.count,
            .calls = calls,
            .counted = neighbours->view->rows->has_arcs,
            .named = callers ? PAIRS_TABLE_CALLER : PAIRS_TABLE_CALLEE};
}

static struct neighbours begin(const struct view *view, enum side side)
{
    const struct rows *rows = view->rows;
    struct neighbours neighbours = {.view = view, .side = side};
    /* Room for all rows, STACKS_NONE and ARCS_OTHERS.  */
    neighbours.found = buf_alloc((rows->count + 2) * sizeof *neighbours.found);
    if (rows->has_arcs) {
        arcs_neighbours_begin(&neighbours.arcs, view->arcs);
        return neighbours;
    }
    size_t count;
    const struct rows_edge *edges = rows_edges(rows, &count);
    BUF_OWN uint32_t *keys = buf_alloc((count + 1) * sizeof *keys);
    for (size_t i = 0; i < count; i++)
        keys[i] = side == CALLERS ? edges[i].callee : edges[i].caller;
    groups_make(&neighbours.edges, rows->count, keys, count);
    return neighbours;
}

/* Sets FOUND to the neighbours of ROW.  */
static void find_neighbours(struct neighbours *neighbours, uint32_t row)
{
    const struct view *view = neighbours->view;
    struct arcs_neighbours *arcs = &neighbours->arcs;
    bool callers = neighbours->side == CALLERS;
    neighbours->count = 0;
    if (view->rows->has_arcs) {
        arcs_neighbours_find(arcs, view->arcs, row,
                             callers ? ARCS_CALLERS : ARCS_CALLEES);
        for (size_t i = 0; i < arcs->count; i++)
            add(neighbours, row, arcs->list[i].row, arcs->list[i].calls);
    } else {
        const struct groups *edges = &neighbours->edges;
        size_t count;
        const struct rows_edge *list = rows_edges(view->rows, &count);
        for (size_t i = edges->first[row]; i < edges->first[row + 1]; i++) {
            const struct rows_edge *edge = &list[edges->members[i]];
            add(neighbours, row, callers ? edge->caller : edge->callee,
                (struct arcs_calls){.count = edge->weight});
        }
    }
    if (neighbours->count)
        qsort_r(neighbours->found, neighbours->count, sizeof *neighbours->found, by_order,
                neighbours);
}

static void end(struct neighbours *neighbours)
{
    arcs_neighbours_free(&neighbours->arcs);
    groups_free(&neighbours->edges);
    free(neighbours->found);
}

/* Prints the neighbours of row NUMBER on one side or, if there are two SIDES, the
   function between those on both.  Returns whether a number in the table is an estimate.
 */
static bool print_table(FILE *out, struct neighbours *sides, size_t count,
                        uint32_t number)
{
    const struct view *view = sides->view;
    const struct rows_row *row = &view->rows->rows[number];
    const struct pairs_table_row itself = {.caller = number,
                                           .callee = number,
                                           .weight = row->stack,
                                           .calls = {row->calls, row->calls, row->calls},
                                           .named = PAIRS_TABLE_ITSELF};
    struct pairs_table_of of = {.view = view, .peek = count > 1};
    struct table table = {.view = &pairs_table, .of = &of};
    for (size_t s = 0; s < count; s++) {
        find_neighbours(&sides[s], number);
        if (s)
            table_add(&table, &itself);
        for (size_t i = 0; i < view_top(view, sides[s].count); i++)
            table_add(&table, &sides[s].found[i]);
        for (size_t i = 0; i < sides[s].count; i++)
            of.estimated |= sides[s].found[i].calls.least != sides[s].found[i].calls.most;
    }
    if (count == 1)
        table_cut(&table, view->style.top);
    table_print(out, &table, view->style.mlton);
    table_free(&table);
    return of.estimated;
}

/* Prints the function that the table is about, with its figures, in MLton's layout behind
   the name.  */
static void print_head(FILE *out, const struct view *view, const struct rows_row *row,
                       enum side side)
{
    BUF_OWN char *cur = view_percent(view, rows_whole(row));
    BUF_OWN char *stack = view_percent(view, row->stack);
    bool mlton = view->style.mlton, has_stack = view->profile->stack;
    const char *name = side == CALLERS ? "callers" : "callees";
    BUF_OWN char *total = buf_format(mlton ? ", stack %s" : ", total %s", stack);
    putc('\n', out);
    if (mlton) {
        BUF_OWN char *label = view_label(view, row);
        fprintf(out, "%s of %s: cur %s%s\n", name, label, cur, has_stack ? total : "");
    } else {
        BUF_OWN char *what =
            buf_format("self %s%s: %s of", cur, has_stack ? total : "", name);
        view_title(out, view, what, row, false);
    }
}

/* Prints for each wanted function a line with its name, and a table of its direct callers
   or callees that reach the threshold, by the samples with such a call on the stack.  */
static void print(FILE *out, const struct view *view, enum side side)
{
    struct neighbours neighbours = begin(view, side);
    bool guessed = false;
    for (uint32_t i = 0; i < view->rows->count; i++)
        if (view->wanted[i]) {
            print_head(out, view, &view->rows->rows[i], side);
            guessed |= print_table(out, &neighbours, 1, i);
        }
    measured_guessed(out, view, guessed);
    end(&neighbours);
}

static void print_callers(FILE *out, const struct view *view)
{
    print(out, view, CALLERS);
}

static void print_callees(FILE *out, const struct view *view)
{
    print(out, view, CALLEES);
}

/* Those with most samples on the stack come first.  */
static void print_peek(FILE *out, const struct view *view)
{
    struct neighbours sides[] = {begin(view, CALLERS), begin(view, CALLEES)};
    size_t count;
    BUF_OWN const struct rows_row **matched = view_by_stack(view, view->wanted, &count);
    bool guessed = false;
    for (size_t i = 0; i < count; i++) {
        putc('\n', out);
        guessed |= print_table(out, sides, 2, (uint32_t)(matched[i] - view->rows->rows));
    }
    measured_guessed(out, view, guessed);
    end(&sides[0]);
    end(&sides[1]);
}

static bool is_meant(const struct view *view, const struct pattern *pattern,
                     const struct rows_row *row)
{
    return !row->branch && view_matches(view, pattern, row);
}

static bool *find(const struct view *view, const struct pattern *pattern)
{
    return view_find(view, pattern, is_meant);
}

/* What the three views have in common.  */
#define LISTS                                                                            \
    .takes = VIEWS_PATTERN,                                                              \
    .goes_by =                                                                           \
        VIEWS_BY_COPIES VIEWS_BY_MEASURE VIEWS_BY_ROWS "merge-builds raw show-line",     \
    .beside = "compare", .facts = VIEWS_CALLS | VIEWS_BLOCKS, .columns = &pairs_table,   \
    .finds = "function", .head = view_header, .timed = true

const struct views_entry callers_entry = {
    .name = "callers",
    .topic = TOPIC_USED,
    .use = 3,
    .help = "list who called matching functions",
    .details = VIEWS_PATTERN_DETAILS,
    .data = {{&pairs_table, pairs_table_fill_callers, 3}},
    .find = find,
    .print = print_callers,
    LISTS,
};

const struct views_entry callees_entry = {
    .name = "callees",
    .topic = TOPIC_USED,
    .use = 4,
    .help = "list whom matching functions called",
    .details = VIEWS_PATTERN_DETAILS,
    .data = {{&pairs_table, pairs_table_fill_callees, 0}},
    .find = find,
    .print = print_callees,
    LISTS,
};

const struct views_entry peek_entry = {
    .name = "peek",
    .topic = TOPIC_CALLS,
    .use = 1,
    .help = "list callers, function and callees in one table",
    .details = "Of each matching function, as pprof does.\n" VIEWS_PATTERN_DETAILS,
    .find = view_find_functions,
    .print = print_peek,
    LISTS,
};
