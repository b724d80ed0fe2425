/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/view/neighbours.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static uint32_t other_of(const struct neighbours *neighbours,
                         const struct pairs_table_row *pair)
{
    return neighbours->side == NEIGHBOURS_CALLERS ? pair->caller : pair->callee;
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
    int order = 0;
    if ((row == ARCS_OTHERS) != (than == ARCS_OTHERS))
        return row == ARCS_OTHERS ? 1 : -1;
    if (view->style.order == VIEW_NAME && has_name(row) && has_name(than))
        order = view_by_name(&view->rows->rows[row], &view->rows->rows[than]);
    else if (view->style.order == VIEW_NAME && has_name(row) != has_name(than))
        order = has_name(row) ? 1 : -1;
    if (order)
        return order;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return (row > than) - (row < than);
}

static void add(struct neighbours *neighbours, uint32_t other, struct arcs_calls calls)
{
    bool callers = neighbours->side == NEIGHBOURS_CALLERS;
    if (!view_reaches(neighbours->view, calls.count))
        return;
    neighbours->found[neighbours->count++] = (struct pairs_table_row){
        .caller = callers ? other : neighbours->row,
        .callee = callers ? neighbours->row : other,
        .weight = calls.count,
        .calls = calls,
        .counted = neighbours->view->rows->has_arcs,
        .named = callers ? PAIRS_TABLE_CALLER : PAIRS_TABLE_CALLEE};
}

static void find_calls(struct neighbours *neighbours, uint32_t row)
{
    struct arcs_neighbours *arcs = &neighbours->arcs;
    arcs_neighbours_find(arcs, neighbours->view->arcs, row,
                         neighbours->side == NEIGHBOURS_CALLERS ? ARCS_CALLERS
                                                                : ARCS_CALLEES);
    for (size_t i = 0; i < arcs->count; i++)
        add(neighbours, arcs->list[i].row, arcs->list[i].calls);
}

static void group_edges(struct neighbours *neighbours)
{
    const struct rows *rows = neighbours->view->rows;
    size_t count;
    const struct rows_edge *edges = rows_edges(rows, &count);
    BUF_OWN uint32_t *keys = buf_alloc((count + 1) * sizeof *keys);
    for (size_t i = 0; i < count; i++)
        keys[i] =
            neighbours->side == NEIGHBOURS_CALLERS ? edges[i].callee : edges[i].caller;
    groups_make(&neighbours->edges, rows->count, keys, count);
}

static void find_edges(struct neighbours *neighbours, uint32_t row)
{
    const struct groups *edges = &neighbours->edges;
    size_t count;
    const struct rows_edge *list = rows_edges(neighbours->view->rows, &count);
    for (size_t i = edges->first[row]; i < edges->first[row + 1]; i++) {
        const struct rows_edge *edge = &list[edges->members[i]];
        add(neighbours,
            neighbours->side == NEIGHBOURS_CALLERS ? edge->caller : edge->callee,
            (struct arcs_calls){.count = edge->weight});
    }
}

void neighbours_begin(struct neighbours *neighbours, const struct view *view,
                      enum neighbours_side side)
{
    *neighbours = (struct neighbours){.view = view, .side = side};
    /* Room for all rows, STACKS_NONE and ARCS_OTHERS.  */
    neighbours->found = buf_alloc((view->rows->count + 2) * sizeof *neighbours->found);
    if (view->rows->has_arcs)
        arcs_neighbours_begin(&neighbours->arcs, view->arcs);
    else
        group_edges(neighbours);
}

void neighbours_find(struct neighbours *neighbours, uint32_t row)
{
    neighbours->row = row;
    neighbours->count = 0;
    (neighbours->view->rows->has_arcs ? find_calls : find_edges)(neighbours, row);
    if (neighbours->count)
        qsort_r(neighbours->found, neighbours->count, sizeof *neighbours->found, by_order,
                neighbours);
}

void neighbours_free(struct neighbours *neighbours)
{
    arcs_neighbours_free(&neighbours->arcs);
    groups_free(&neighbours->edges);
    free(neighbours->found);
    memset(neighbours, 0, sizeof *neighbours);
}

bool neighbours_estimated(const struct neighbours *neighbours)
{
    for (size_t i = 0; i < neighbours->count; i++)
        if (neighbours->found[i].calls.least != neighbours->found[i].calls.most)
            return true;
    return false;
}

void neighbours_add(struct table *table, const struct neighbours *neighbours)
{
    for (size_t i = 0; i < view_top(neighbours->view, neighbours->count); i++)
        table_add(table, &neighbours->found[i]);
}
