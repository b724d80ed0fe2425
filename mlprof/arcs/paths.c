/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a search at each drawn function and continues through hidden functions until
   it reaches drawn ones. If there are stacks, or calls with amounts, they give the
   weights of the arrows. Otherwise counted calls, and then the edges in the tables, are
   used. */

#include "mlprof/arcs/paths.h"
#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/rows/calltree.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of a path. Paths are numbered in the order in which they are
   found, and sorted later. */
static uint32_t put_path(struct paths *paths, struct index *index, uint32_t from,
                         uint32_t to, bool direct)
{
    bool fresh;
    uint32_t number = index_put(index, from, to, 0, &fresh);
    if (fresh) {
        BUF_NEXT(paths->paths, paths->count, paths->capacity) =
            (struct paths_path){.from = from, .to = to};
    }
    paths->paths[number].direct |= direct;
    return number;
}

/* For each node, sets BY_NODE to the number of the path that ends at the node, or to
   STACKS_NONE. */
static void find_measured(struct paths *paths, struct index *index,
                          const struct rows *rows, const bool *drawn, uint32_t *by_node)
{
    const struct stacks *stacks = &rows->stacks;
    /* By node: the row of the innermost drawn frame at the node or around it. */
    BUF_OWN uint32_t *drawn_row =
        buf_alloc((stacks->nodes.count + 1) * sizeof *drawn_row);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        uint32_t parent = stacks->nodes.list[i].parent;
        by_node[i] = STACKS_NONE;
        drawn_row[i] = parent == STACKS_NONE ? STACKS_NONE : drawn_row[parent];
        uint32_t row = stacks->nodes.list[i].weight ? rows_of_node(rows, i) : STACKS_NONE;
        if (row == STACKS_NONE || !drawn[row])
            continue;
        if (drawn_row[i] != STACKS_NONE)
            by_node[i] = put_path(paths, index, drawn_row[i], row,
                                  drawn[rows_of_node(rows, parent)]);
        drawn_row[i] = row;
    }
}

static void add_weights(struct paths *paths, const struct stacks *stacks,
                        const uint32_t *by_node)
{
    BUF_OWN uint32_t *active = buf_alloc((paths->count + 1) * sizeof *active);
    struct stacks_walk walk = {0};
    while (stacks_walk_next(stacks, &walk)) {
        uint32_t path = by_node[walk.node];
        if (path != STACKS_NONE)
            rows_count_once(&active[path], &paths->paths[path].weight, walk.leave,
                            stacks->nodes.list[walk.node].weight);
    }
}

/* Adds the counted calls. If there are no stacks, no other calls are known. */
static void add_calls(struct paths *paths, struct index *index, const struct rows *rows,
                      const struct arcs *arcs, const bool *drawn)
{
    struct arcs_neighbours neighbours;
    arcs_neighbours_begin(&neighbours, arcs);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!drawn[i])
            continue;
        arcs_neighbours_find(&neighbours, arcs, i, ARCS_CALLEES);
        for (size_t k = 0; k < neighbours.count; k++) {
            uint32_t row = neighbours.list[k].row;
            const struct arcs_calls *calls = &neighbours.list[k].calls;
            if (row == ARCS_OTHERS || !drawn[row])
                continue;
            uint32_t number = put_path(paths, index, i, row, true);
            paths->paths[number].weight = calls->count;
            paths->paths[number].estimated = calls->least != calls->most;
        }
    }
    arcs_neighbours_free(&neighbours);
}

/* Adds calls that are known with their amounts, and paths through hidden functions, whose
   amounts are estimates unless each function on them has one caller. */
static void add_known(struct paths *paths, struct index *index, const struct rows *rows,
                      const bool *drawn)
{
    size_t count;
    const struct rows_edge *edges = rows_edges(rows, &count);
    for (size_t i = 0; i < count; i++) {
        const struct rows_edge *edge = &edges[i];
        if (edge->caller == STACKS_NONE || !drawn[edge->caller] || !drawn[edge->callee])
            continue;
        uint32_t number = put_path(paths, index, edge->caller, edge->callee, true);
        paths->paths[number].weight = edge->weight;
    }
    struct tree tree;
    calltree_of_calls(&tree, rows);
    /* By stack: the innermost drawn row before its last function. */
    BUF_OWN uint32_t *outer = buf_alloc(tree.count * sizeof *outer);
    for (uint32_t i = 1; i < tree.count; i++) {
        const struct tree_node *node = &tree.nodes[i];
        bool first = node->parent == TREE_EMPTY,
             hidden = !first && !drawn[tree.nodes[node->parent].row];
        outer[i] = first    ? STACKS_NONE
                   : hidden ? outer[node->parent]
                            : tree.nodes[node->parent].row;
        if (!hidden || outer[i] == STACKS_NONE || !drawn[node->row])
            continue;
        uint32_t number = put_path(paths, index, outer[i], node->row, false);
        struct paths_path *path = &paths->paths[number];
        path->weight = saturate_add(path->weight, tree.shares.list[i]);
        path->estimated |= node->estimated;
    }
    tree_free(&tree);
}

/* Data for add_reached. */
struct search {
    struct paths *paths;
    struct index *index;
    const bool *drawn;
    uint32_t *seen; /* by row: 1 plus the row from which the search last reached it */
    uint32_t *todo;
    size_t count;
};

/* Visits the row NEXT, which the search has reached from the drawn row FROM through
   hidden functions. */
static void visit_row(struct search *search, uint32_t from, uint32_t next)
{
    if (search->seen[next] == from + 1)
        return;
    search->seen[next] = from + 1;
    if (search->drawn[next])
        put_path(search->paths, search->index, from, next, false);
    else
        search->todo[search->count++] = next;
}

/* Adds the paths through hidden functions. The number of calls of these paths is
   unknown. */
static void add_reached(struct paths *paths, struct index *index, const struct rows *rows,
                        const struct arcs *arcs, const bool *drawn)
{
    struct arcs_neighbours neighbours;
    struct search search = {.paths = paths,
                            .index = index,
                            .drawn = drawn,
                            .seen = buf_alloc((rows->count + 1) * sizeof(uint32_t)),
                            .todo = buf_alloc((rows->count + 1) * sizeof(uint32_t))};
    arcs_neighbours_begin(&neighbours, arcs);
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t current = i;
        if (!drawn[i])
            continue;
        do {
            arcs_neighbours_find(&neighbours, arcs, current, ARCS_CALLEES);
            for (size_t k = 0; k < neighbours.count; k++) {
                uint32_t row = neighbours.list[k].row;
                if (row < rows->count && !(current == i && drawn[row]))
                    visit_row(&search, i, row);
            }
            current = search.count ? search.todo[--search.count] : STACKS_NONE;
        } while (current != STACKS_NONE);
    }
    arcs_neighbours_free(&neighbours);
    free(search.seen);
    free(search.todo);
}

/* Adds the paths to a copy from the copies around it, if nothing was measured. */
static void add_inlined(struct paths *paths, struct index *index, const struct rows *rows,
                        const bool *drawn)
{
    for (size_t i = 0; i < rows->copies.count; i++) {
        const struct rows_copy *copy = &rows->copies.list[i];
        uint32_t outer = drawn[copy->row] ? copy->outer : STACKS_NONE;
        while (outer != STACKS_NONE && !drawn[rows->copies.list[outer].row])
            outer = rows->copies.list[outer].outer;
        if (outer != STACKS_NONE)
            put_path(paths, index, rows->copies.list[outer].row, copy->row,
                     outer == copy->outer);
    }
}

/* Adds the edges of the rows, if nothing was measured. */
static void add_edges(struct paths *paths, struct index *index, const struct rows *rows,
                      const bool *drawn)
{
    size_t count;
    const struct rows_edge *edges = rows_edges(rows, &count);
    for (size_t i = 0; i < count; i++) {
        const struct rows_edge *edge = &edges[i];
        if (edge->caller != STACKS_NONE && drawn[edge->caller] && drawn[edge->callee])
            put_path(paths, index, edge->caller, edge->callee, true);
    }
}

BUF_COMPARE(by_rows, struct paths_path,
            BUF_ORDER(a->from, b->from) ?: BUF_ORDER(a->to, b->to))

void paths_find(struct paths *paths, const struct rows *rows, const struct arcs *arcs,
                const bool *drawn)
{
    struct index index = {0};
    BUF_OWN uint32_t *by_node =
        buf_alloc((rows->stacks.nodes.count + 1) * sizeof *by_node);
    memset(paths, 0, sizeof *paths);
    if (rows->called.calls.count) {
        add_known(paths, &index, rows, drawn);
    } else {
        find_measured(paths, &index, rows, drawn, by_node);
        add_weights(paths, &rows->stacks, by_node);
    }
    if (rows->has_arcs) {
        add_calls(paths, &index, rows, arcs, drawn);
        add_reached(paths, &index, rows, arcs, drawn);
    } else if (rows->total == 0) {
        add_edges(paths, &index, rows, drawn);
        add_inlined(paths, &index, rows, drawn);
    }
    BUF_SORT(paths->paths, paths->count, by_rows);
    index_free(&index);
}

void paths_free(struct paths *paths)
{
    free(paths->paths);
    memset(paths, 0, sizeof *paths);
}
