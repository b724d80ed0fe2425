/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/view/neighbours.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static bool has_name(const struct neighbours_one *one)
{
    return one->row != STACKS_NONE && one->row != ARCS_OTHERS;
}

/* By name, or else by weight.  The others that were added up come last.  */
static int by_order(const void *one, const void *other, void *neighbours)
{
    const struct neighbours_one *a = one, *b = other;
    const struct view *view = ((const struct neighbours *)neighbours)->view;
    int order = 0;
    if ((a->row == ARCS_OTHERS) != (b->row == ARCS_OTHERS))
        return a->row == ARCS_OTHERS ? 1 : -1;
    if (view->style.order == VIEW_NAME && has_name(a) && has_name(b))
        order = view_by_name(&view->rows->rows[a->row], &view->rows->rows[b->row]);
    else if (view->style.order == VIEW_NAME && has_name(a) != has_name(b))
        order = has_name(a) ? 1 : -1;
    if (order)
        return order;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static void add(struct neighbours *neighbours, uint32_t row, struct arcs_calls calls)
{
    if (view_reaches(neighbours->view, calls.count))
        neighbours->found[neighbours->count++] =
            (struct neighbours_one){row, calls.count, calls};
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
    uint32_t *keys = buf_alloc((rows->edge_count + 1) * sizeof *keys);
    for (size_t i = 0; i < rows->edge_count; i++)
        keys[i] = neighbours->side == NEIGHBOURS_CALLERS ? rows->edges[i].callee
                                                         : rows->edges[i].caller;
    groups_make(&neighbours->edges, rows->count, keys, rows->edge_count);
    free(keys);
}

static void find_edges(struct neighbours *neighbours, uint32_t row)
{
    const struct groups *edges = &neighbours->edges;
    for (size_t i = edges->first[row]; i < edges->first[row + 1]; i++) {
        const struct rows_edge *edge = &neighbours->view->rows->edges[edges->members[i]];
        add(neighbours,
            neighbours->side == NEIGHBOURS_CALLERS ? edge->caller : edge->callee,
            (struct arcs_calls){.count = edge->weight});
    }
}

void neighbours_begin(struct neighbours *neighbours, const struct view *view,
                      enum neighbours_side side)
{
    *neighbours = (struct neighbours){.view = view, .side = side};
    /* All rows, outside and others.  */
    neighbours->found = buf_alloc((view->rows->count + 2) * sizeof *neighbours->found);
    if (view->rows->has_arcs)
        arcs_neighbours_begin(&neighbours->arcs, view->arcs);
    else
        group_edges(neighbours);
}

void neighbours_find(struct neighbours *neighbours, uint32_t row)
{
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

void neighbours_put_name(struct sheet *sheet, const struct view *view, uint32_t row)
{
    if (row == STACKS_NONE)
        sheet_put(sheet, buf_copy(NEIGHBOURS_OUTSIDE));
    else if (row == ARCS_OTHERS)
        sheet_put(sheet, buf_copy(ARCS_OTHERS_NAME));
    else
        view_put_name(view, sheet, &view->rows->rows[row]);
}
