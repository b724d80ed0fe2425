/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/callers.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/base/sheet.h"
#include "mlprof/evaluate/arcs-neighbours.h"

#include <stdlib.h>

/* Another function, and the samples of the calls from or to it.  */
struct neighbour {
    uint32_t row; /* STACKS_NONE: outside; ARCS_OTHERS */
    uint64_t weight;
    struct arcs_calls calls; /* if calls are what was counted */
};

/* The others that were added up come last.  */
static int by_weight(const void *one, const void *other)
{
    const struct neighbour *a = one, *b = other;
    if ((a->row == ARCS_OTHERS) != (b->row == ARCS_OTHERS))
        return a->row == ARCS_OTHERS ? 1 : -1;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* The callers or callees of a function that are shown.  */
struct search {
    enum callers_side side;
    struct neighbour *found; /* room for all rows, outside and others */
    size_t count;
    struct groups edges;         /* the rows' edges by the row asked for */
    struct arcs_neighbours arcs; /* in place of these if calls are what was counted */
};

static void add(struct search *search, const struct view *view, uint32_t row,
                struct arcs_calls calls)
{
    if (view_reaches(view, calls.count))
        search->found[search->count++] = (struct neighbour){row, calls.count, calls};
}

static void find_calls(struct search *search, const struct view *view, uint32_t row)
{
    struct arcs_neighbours *arcs = &search->arcs;
    arcs_neighbours_find(arcs, view->arcs, row,
                         search->side == CALLERS_CALLERS ? ARCS_CALLERS : ARCS_CALLEES);
    for (size_t i = 0; i < arcs->count; i++)
        add(search, view, arcs->list[i].row, arcs->list[i].calls);
}

static void group_edges(struct search *search, const struct rows *rows)
{
    uint32_t *keys = buf_alloc((rows->edge_count + 1) * sizeof *keys);
    for (size_t i = 0; i < rows->edge_count; i++)
        keys[i] = search->side == CALLERS_CALLERS ? rows->edges[i].callee
                                                  : rows->edges[i].caller;
    groups_make(&search->edges, rows->count, keys, rows->edge_count);
    free(keys);
}

static void find_edges(struct search *search, const struct view *view, uint32_t row)
{
    const struct groups *edges = &search->edges;
    for (size_t i = edges->first[row]; i < edges->first[row + 1]; i++) {
        const struct rows_edge *edge = &view->rows->edges[edges->members[i]];
        add(search, view, search->side == CALLERS_CALLERS ? edge->caller : edge->callee,
            (struct arcs_calls){.count = edge->weight});
    }
}

static void find_neighbours(struct search *search, const struct view *view, uint32_t row)
{
    search->count = 0;
    (view->rows->has_arcs ? find_calls : find_edges)(search, view, row);
    qsort(search->found, search->count, sizeof *search->found, by_weight);
}

static void put_name(struct sheet *sheet, const struct view *view, uint32_t row)
{
    if (row == STACKS_NONE)
        sheet_put(sheet, buf_copy(CALLERS_OUTSIDE));
    else if (row == ARCS_OTHERS)
        sheet_put(sheet, buf_copy(ARCS_OTHERS_NAME));
    else
        view_put_name(view, sheet, &view->rows->rows[row]);
}

static void print_table(FILE *out, const struct view *view, const struct neighbour *found,
                        size_t count)
{
    struct sheet sheet = {0};
    sheet_column(&sheet, "stack", SHEET_NUMBER, 1);
    if (view_has_amounts(view))
        sheet_column(&sheet, view_amount_head(view), SHEET_NUMBER, 1);
    sheet_column(&sheet, "function", SHEET_TEXT, 0);
    for (size_t i = 0; i < count; i++) {
        sheet_put(&sheet, view_percent(view, found[i].weight));
        if (view_has_amounts(view))
            sheet_put(&sheet, view_amount_cell(view, found[i].weight));
        put_name(&sheet, view, found[i].row);
    }
    sheet_print(out, &sheet, view->style.mlton);
}

static bool has_estimate(const struct neighbour *found, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (found[i].calls.least != found[i].calls.most)
            return true;
    return false;
}

/* Of calls that were counted.  Their bounds are told if they are not the same.  */
static void print_calls(FILE *out, const struct view *view, const struct neighbour *found,
                        size_t count)
{
    static const char *const heads[] = {ARCS_HEADS};
    size_t columns = has_estimate(found, count) ? ARCS_COLUMNS : 1;
    struct sheet sheet = {0};
    for (size_t k = 0; k < columns; k++)
        sheet_column(&sheet, heads[k], SHEET_NUMBER, 1);
    sheet_column(&sheet, "function", SHEET_TEXT, 0);
    for (size_t i = 0; i < count; i++) {
        char *numbers[ARCS_COLUMNS];
        arcs_cells(found[i].calls, numbers);
        for (size_t k = 0; k < ARCS_COLUMNS; k++)
            if (k < columns)
                sheet_put(&sheet, numbers[k]);
            else
                free(numbers[k]);
        put_name(&sheet, view, found[i].row);
    }
    sheet_print(out, &sheet, view->style.mlton);
}

static const char *side_name(enum callers_side side)
{
    return side == CALLERS_CALLERS ? "callers" : "callees";
}

/* Prints which function the table is about, and its own figures, as MLton's tables stand:
   the name first.  */
static void print_head_mlton(FILE *out, const struct view *view,
                             const struct rows_row *row, enum callers_side side)
{
    char *label = view_label(view, row), *cur = view_percent(view, row->cur);
    char *stack = view_percent(view, row->stack);
    fprintf(out, "\n%s of %s: cur %s", side_name(side), label, cur);
    if (view->profile->stack)
        fprintf(out, ", stack %s", stack);
    putc('\n', out);
    free(label);
    free(cur);
    free(stack);
}

static void print_head(FILE *out, const struct view *view, const struct rows_row *row,
                       enum callers_side side)
{
    char *cur = view_percent(view, row->cur), *stack = view_percent(view, row->stack);
    bool has_stack = view->profile->stack;
    char *what = buf_format("cur %s%s%s: %s of", cur, has_stack ? ", stack " : "",
                            has_stack ? stack : "", side_name(side));
    putc('\n', out);
    view_title(out, view, what, row, false);
    free(what);
    free(cur);
    free(stack);
}

size_t callers_print(FILE *out, const struct view *view, const struct pattern *pattern,
                     enum callers_side side)
{
    const struct rows *rows = view->rows;
    struct search search = {.side = side};
    size_t matched = 0;
    search.found = buf_alloc((rows->count + 2) * sizeof *search.found);
    if (rows->has_arcs)
        arcs_neighbours_begin(&search.arcs, view->arcs);
    else
        group_edges(&search, rows);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!view_matches(view, pattern, &rows->rows[i]))
            continue;
        find_neighbours(&search, view, i);
        (view->style.mlton ? print_head_mlton : print_head)(out, view, &rows->rows[i],
                                                            side);
        (rows->has_arcs ? print_calls : print_table)(out, view, search.found,
                                                     view_top(view, search.count));
        matched++;
    }
    arcs_neighbours_free(&search.arcs);
    groups_free(&search.edges);
    free(search.found);
    return matched;
}
