/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/callers.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/base/layout.h"
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

static char *name_of(const struct view *view, uint32_t row)
{
    if (row == STACKS_NONE)
        return buf_copy(CALLERS_OUTSIDE);
    if (row == ARCS_OTHERS)
        return buf_copy(ARCS_OTHERS_NAME);
    return view_label(view, &view->rows->rows[row]);
}

static void print_table(FILE *out, const struct view *view, const struct neighbour *found,
                        size_t count)
{
    static const char *const heads[] = {"function", "stack", "raw"};
    size_t columns = view->style.raw ? 3 : 2;
    char **cells = buf_alloc((count * columns + 1) * sizeof *cells), **cell = cells;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = found[i].row;
        *cell++ = name_of(view, row);
        *cell++ = view_percent(view, found[i].weight);
        if (view->style.raw)
            *cell++ = view_raw(view, found[i].weight);
    }
    layout_print(out, heads, columns, cells, count);
    while (cell > cells)
        free(*--cell);
    free(cells);
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
    static const char *const heads[] = {"function", ARCS_HEADS};
    size_t columns = has_estimate(found, count) ? 1 + ARCS_COLUMNS : 2;
    char **cells = buf_alloc((count * (1 + ARCS_COLUMNS) + 1) * sizeof *cells),
         **cell = cells;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = found[i].row;
        *cell++ = name_of(view, row);
        char *numbers[ARCS_COLUMNS];
        arcs_cells(found[i].calls, numbers);
        for (size_t k = 0; k < ARCS_COLUMNS; k++)
            if (k + 1 < columns)
                *cell++ = numbers[k];
            else
                free(numbers[k]);
    }
    layout_print(out, heads, columns, cells, count);
    while (cell > cells)
        free(*--cell);
    free(cells);
}

/* Prints which function the table is about, and its own figures.  */
static void print_head(FILE *out, const struct view *view, const struct rows_row *row,
                       enum callers_side side)
{
    char *label = view_label(view, row), *cur = view_percent(view, row->cur);
    char *stack = view_percent(view, row->stack);
    fprintf(out, "\n%s of %s: cur %s", side == CALLERS_CALLERS ? "callers" : "callees",
            label, cur);
    if (view->profile->stack)
        fprintf(out, ", stack %s", stack);
    putc('\n', out);
    free(label);
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
        print_head(out, view, &rows->rows[i], side);
        (rows->has_arcs ? print_calls : print_table)(out, view, search.found,
                                                     search.count);
        matched++;
    }
    arcs_neighbours_free(&search.arcs);
    groups_free(&search.edges);
    free(search.found);
    return matched;
}
