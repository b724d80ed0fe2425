/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm of H. N. Gabow, "Path-based depth-first search for strong and
   biconnected components" (Information Processing Letters, 2000). */

#include "mlprof/base/components.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct search {
    const struct components_edge *edges;
    struct groups from;  /* the edges of each vertex */
    uint32_t *number;    /* by vertex: the order of visits, from 1; 0: not visited */
    uint32_t *component; /* by vertex, or NONE */
    size_t *next;        /* by vertex: its next edge in FROM */
    uint32_t *path;      /* the vertices of the current path */
    uint32_t *open;      /* visited vertices without a component */
    uint32_t *bounds;    /* numbers of the first vertices of components in OPEN, so far */
    size_t path_count, open_count, bound_count;
    uint32_t numbered, found;
};

static void visit(struct search *search, uint32_t vertex)
{
    search->number[vertex] = ++search->numbered;
    search->next[vertex] = search->from.first[vertex];
    search->path[search->path_count++] = vertex;
    search->open[search->open_count++] = vertex;
    search->bounds[search->bound_count++] = search->numbered;
}

static void leave(struct search *search, uint32_t vertex)
{
    search->path_count--;
    if (search->bounds[search->bound_count - 1] != search->number[vertex])
        return;
    search->bound_count--;
    uint32_t member;
    do {
        member = search->open[--search->open_count];
        search->component[member] = search->found;
    } while (member != vertex);
    search->found++;
}

static void search_from(struct search *search, uint32_t start)
{
    visit(search, start);
    while (search->path_count) {
        uint32_t vertex = search->path[search->path_count - 1];
        if (search->next[vertex] == search->from.first[vertex + 1]) {
            leave(search, vertex);
            continue;
        }
        uint32_t to = search->edges[search->from.members[search->next[vertex]++]].to;
        if (!search->number[to])
            visit(search, to);
        else if (search->component[to] == NONE)
            while (search->bounds[search->bound_count - 1] > search->number[to])
                search->bound_count--;
    }
}

uint32_t *components_find(size_t vertex_count, const struct components_edge *edges,
                          size_t edge_count)
{
    size_t size = (vertex_count + 1) * sizeof(uint32_t);
    BUF_OWN uint32_t *number = buf_alloc(size), *path = buf_alloc(size),
                     *open = buf_alloc(size), *bounds = buf_alloc(size);
    BUF_OWN size_t *next = buf_alloc((vertex_count + 1) * sizeof *next);
    struct search search = {.edges = edges,
                            .number = number,
                            .component = buf_alloc(size),
                            .next = next,
                            .path = path,
                            .open = open,
                            .bounds = bounds};
    GROUPS_BY(&search.from, vertex_count, edges, from, edge_count);
    for (size_t i = 0; i < vertex_count; i++)
        search.component[i] = NONE;
    for (uint32_t i = 0; i < vertex_count; i++)
        if (!search.number[i])
            search_from(&search, i);
    groups_free(&search.from);
    return search.component;
}
