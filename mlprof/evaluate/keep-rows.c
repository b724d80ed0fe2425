/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/evaluate/keep-rows.h"
#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/names/names.h"

#include <stdlib.h>
#include <string.h>

/* The graph of calls.  A node is a copy, or a row without known copies.  */
struct graph {
    const struct rows *rows;
    const struct names_style *style;
    uint32_t *row; /* by node: its row, or STACKS_NONE */
    size_t count, capacity;
    struct index edges; /* key: caller, callee */
    /* By node, the numbers of edges; made when they are needed.  */
    struct groups callees, callers;
};

static void add_node(struct graph *graph, uint32_t row)
{
    graph->row =
        buf_grow(graph->row, &graph->capacity, graph->count + 1, sizeof *graph->row);
    graph->row[graph->count++] = row;
}

static void add_edge(struct graph *graph, uint32_t caller, uint32_t callee)
{
    bool fresh;
    index_put(&graph->edges, caller, callee, 0, &fresh);
}

/* Adds the copies on the stacks, with the stacks' numbers.  */
static void add_stacks(struct graph *graph)
{
    const struct rows *rows = graph->rows;
    const struct stacks *stacks = &rows->stacks;
    for (size_t i = 0; i < stacks->copy_count; i++)
        add_node(graph, STACKS_NONE);
    for (uint32_t i = 0; i < stacks->node_count; i++) {
        const struct stacks_node *node = &stacks->nodes[i];
        if (node->weight == 0)
            continue;
        graph->row[node->copy] = rows_of_node(rows, i);
        if (node->parent != STACKS_NONE)
            add_edge(graph, stacks->nodes[node->parent].copy, node->copy);
    }
}

/* Adds the rows that are on no stack.  Returns by row its node, or STACKS_NONE for a row
   on a stack; to be freed.  */
static uint32_t *add_others(struct graph *graph)
{
    size_t rows = graph->rows->count, copies = graph->count;
    uint32_t *nodes = buf_alloc((rows + 1) * sizeof *nodes);
    for (size_t i = 0; i < copies; i++)
        if (graph->row[i] != STACKS_NONE)
            nodes[graph->row[i]] = STACKS_NONE;
    for (uint32_t i = 0; i < rows; i++) {
        if (nodes[i] == STACKS_NONE)
            continue;
        nodes[i] = (uint32_t)graph->count;
        add_node(graph, i);
    }
    return nodes;
}

static void add_arcs(struct graph *graph, const struct arcs *arcs, const uint32_t *nodes)
{
    struct arcs_neighbours neighbours;
    arcs_neighbours_begin(&neighbours, arcs);
    for (uint32_t i = 0; i < graph->rows->count; i++) {
        arcs_neighbours_find(&neighbours, arcs, i, ARCS_CALLEES);
        for (size_t k = 0; k < neighbours.count; k++) {
            uint32_t row = neighbours.list[k].row;
            if (row != ARCS_OTHERS && row != STACKS_NONE)
                add_edge(graph, nodes[i], nodes[row]);
        }
    }
    arcs_neighbours_free(&neighbours);
}

/* Adds the copies of a catalog.  */
static void add_catalog(struct graph *graph)
{
    const struct rows *rows = graph->rows;
    for (uint32_t i = 0; i < rows->copy_count; i++) {
        add_node(graph, rows->copies[i].row);
        if (rows->copies[i].around != STACKS_NONE)
            add_edge(graph, rows->copies[i].around, i);
    }
}

static void build(struct graph *graph, const struct arcs *arcs)
{
    add_stacks(graph);
    add_catalog(graph);
    BUF_OWN uint32_t *nodes = add_others(graph);
    if (graph->rows->has_arcs)
        add_arcs(graph, arcs, nodes);
}

/* Groups the edges by one of their ends.  */
static const struct groups *edges_by(struct graph *graph, struct groups *groups, int end)
{
    if (groups->first)
        return groups;
    BUF_OWN uint32_t *keys = buf_alloc((graph->edges.count + 1) * sizeof *keys);
    for (size_t i = 0; i < graph->edges.count; i++)
        keys[i] = (uint32_t)graph->edges.keys[i].words[end];
    groups_make(groups, graph->count, keys, graph->edges.count);
    return groups;
}

/* Adds to SET the nodes that can be reached from it, along the calls if TO is 1, against
   them if TO is 0.  */
static void add_reached(struct graph *graph, bool *set, int to)
{
    const struct groups *edges =
        to ? edges_by(graph, &graph->callees, 0) : edges_by(graph, &graph->callers, 1);
    BUF_OWN uint32_t *todo = buf_alloc((graph->count + 1) * sizeof *todo);
    size_t count = 0;
    for (uint32_t i = 0; i < graph->count; i++)
        if (set[i])
            todo[count++] = i;
    while (count) {
        uint32_t node = todo[--count];
        for (size_t i = edges->first[node]; i < edges->first[node + 1]; i++) {
            uint32_t next = (uint32_t)graph->edges.keys[edges->members[i]].words[to];
            if (!set[next])
                todo[count++] = next;
            set[next] = true;
        }
    }
}

/* Adds to SET the nodes at the other end of edges: callees if TO is 1, callers if TO is
   0.  */
static void add_next(const struct graph *graph, bool *set, int to)
{
    BUF_OWN bool *before = buf_alloc(graph->count + 1);
    memcpy(before, set, graph->count);
    for (size_t i = 0; i < graph->edges.count; i++)
        if (before[graph->edges.keys[i].words[!to]])
            set[graph->edges.keys[i].words[to]] = true;
}

/* Whether a simple expression holds for a row.  */
static bool holds(const struct graph *graph, const struct keep_expression *expression,
                  const struct rows_row *row)
{
    const struct rows *rows = graph->rows;
    uint64_t stack = rows->stack ? row->stack : 0;
    switch (expression->form) {
    case KEEP_MATCH:
        return names_match(&expression->pattern, &row->source, row->shown, graph->style);
    case KEEP_THRESH:
        return rows_percent(row->cur, rows->total) >= expression->least;
    case KEEP_THRESH_STACK:
        return rows_percent(stack, rows->total) >= expression->least;
    default: /* There is no garbage collector: its percentage is 0.  */
        return expression->least <= 0;
    }
}

static bool *evaluate_rows(const struct graph *graph,
                           const struct keep_expression *expression)
{
    bool *by_row = buf_alloc(graph->rows->count + 1), *set = buf_alloc(graph->count + 1);
    for (size_t i = 0; i < graph->rows->count; i++)
        by_row[i] = holds(graph, expression, &graph->rows->rows[i]);
    for (size_t i = 0; i < graph->count; i++)
        set[i] = graph->row[i] != STACKS_NONE && by_row[graph->row[i]];
    free(by_row);
    return set;
}

static bool *evaluate(struct graph *graph, const struct keep *keep, uint32_t number);

/* The nodes for which all arguments hold or, with OR, any; the first argument is
   FIRST.  */
static bool *evaluate_many(struct graph *graph, const struct keep *keep, uint32_t first,
                           bool or)
{
    bool *set = buf_alloc(graph->count + 1);
    memset(set, ! or, graph->count);
    for (uint32_t at = first; at != KEEP_NONE; at = keep->expressions[at].next) {
        BUF_OWN bool *one = evaluate(graph, keep, at);
        for (size_t i = 0; i < graph->count; i++)
            set[i] = or ? set[i] || one[i] : set[i] && one[i];
    }
    return set;
}

/* By node, whether an expression holds; to be freed.  The depth of recursion is at most
   KEEP_DEEPEST.  */
static bool *evaluate(struct graph *graph, const struct keep *keep, uint32_t number)
{
    const struct keep_expression *expression = &keep->expressions[number];
    enum keep_form form = expression->form;
    if (form == KEEP_ALL || form == KEEP_AND || form == KEEP_OR)
        return evaluate_many(graph, keep, expression->first, form == KEEP_OR);
    if (expression->first == KEEP_NONE)
        return evaluate_rows(graph, expression);
    bool *set = evaluate(graph, keep, expression->first);
    if (form == KEEP_FROM || form == KEEP_TO)
        add_reached(graph, set, form == KEEP_FROM);
    else if (form == KEEP_SUCC || form == KEEP_PRED)
        add_next(graph, set, form == KEEP_SUCC);
    for (size_t i = 0; form == KEEP_NOT && i < graph->count; i++)
        set[i] = !set[i];
    return set;
}

bool *keep_rows(const struct keep *keep, const struct rows *rows, const struct arcs *arcs,
                const struct names_style *style)
{
    struct graph graph = {.rows = rows, .style = style};
    bool *kept = buf_alloc(rows->count + 1);
    build(&graph, arcs);
    bool *set = evaluate(&graph, keep, (uint32_t)keep->count - 1);
    for (size_t i = 0; i < graph.count; i++)
        if (set[i] && graph.row[i] != STACKS_NONE)
            kept[graph.row[i]] = true;
    free(set);
    free(graph.row);
    index_free(&graph.edges);
    groups_free(&graph.callees);
    groups_free(&graph.callers);
    return kept;
}
