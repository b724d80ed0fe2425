/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/arcgraph.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/base/kirchhoff.h"
#include "mlprof/base/saturate.h"

#include <stdlib.h>

#define ENTRY 0
#define EXIT  1
#define NONE  UINT32_MAX

/* The graph while it is solved.  What leaves by the exit comes in by the entry: both are
   one node.  */
struct graph {
    const struct arctables_edge *edges;
    uint32_t edge_count, blocks;
    int64_t *values;   /* by edge */
    uint32_t *from;    /* by edge: the node that it leaves */
    struct groups out; /* the edges by that node */
};

static uint32_t node_of(uint32_t block)
{
    return block == EXIT ? ENTRY : block;
}

static uint32_t to_of(const struct graph *graph, uint32_t edge)
{
    return node_of(graph->edges[edge].to);
}

/* What is not counted is a tree.  Where it is none, in a damaged table, edges stay 0.  */
static void derive(struct graph *graph, const int64_t *counts)
{
    BUF_OWN struct kirchhoff_edge *edges =
        buf_alloc((graph->edge_count + 1) * sizeof *edges);
    int64_t *blocks = buf_alloc((graph->blocks + 1) * sizeof *blocks);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct arctables_edge *edge = &graph->edges[i];
        edges[i] = (struct kirchhoff_edge){edge->from, edge->to, edge->counted,
                                           edge->counted ? *counts++ : 0};
    }
    kirchhoff_solve(edges, graph->edge_count, blocks, graph->blocks);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        graph->values[i] = edges[i].count;
    free(blocks);
}

/* The ways from one block to all others, with as few edges as possible that were never
   taken.  */
struct ways {
    uint32_t *by;    /* by block: the edge that leads there, or NONE */
    uint32_t *queue; /* blocks, from FIRST up to but not END */
    size_t first, end;
    bool *done;
};

/* Blocks that are reached over an edge that was taken come first, others last.  */
static void find_ways(const struct graph *graph, struct ways *ways, uint32_t from)
{
    size_t middle = graph->edge_count + 1;
    for (uint32_t i = 0; i < graph->blocks; i++) {
        ways->by[i] = NONE;
        ways->done[i] = false;
    }
    ways->first = middle;
    ways->end = middle;
    ways->queue[ways->end++] = from;
    while (ways->first < ways->end) {
        uint32_t block = ways->queue[ways->first++];
        if (ways->done[block])
            continue;
        ways->done[block] = true;
        for (size_t i = graph->out.first[block]; i < graph->out.first[block + 1]; i++) {
            uint32_t edge = (uint32_t)graph->out.members[i], to = to_of(graph, edge);
            bool taken = graph->values[edge] > 0;
            if (ways->done[to] || (ways->by[to] != NONE && !taken))
                continue;
            ways->by[to] = edge;
            if (taken)
                ways->queue[--ways->first] = to;
            else
                ways->queue[ways->end++] = to;
        }
    }
}

/* Adds to the edge, which is less than 0, what is missing, and to a way from its end back
   to its start.  */
static void mend(struct graph *graph, struct ways *ways, uint32_t edge)
{
    __int128 missing = -(__int128)graph->values[edge];
    uint32_t start = graph->from[edge], block = start;
    graph->values[edge] = 0;
    if (start == to_of(graph, edge))
        return;
    find_ways(graph, ways, to_of(graph, edge));
    while (block != to_of(graph, edge) && ways->by[block] != NONE) {
        int64_t *value = &graph->values[ways->by[block]];
        *value = saturate_signed(*value + missing);
        block = graph->from[ways->by[block]];
    }
}

static bool mend_all(struct graph *graph)
{
    struct ways ways = {
        .by = buf_alloc((graph->blocks + 1) * sizeof *ways.by),
        .queue = buf_alloc((2 * (size_t)graph->edge_count + 4) * sizeof *ways.queue),
        .done = buf_alloc((graph->blocks + 1) * sizeof *ways.done)};
    bool good = true;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (graph->values[i] < 0 && !graph->edges[i].below) {
            good = false;
            mend(graph, &ways, i);
        }
    free(ways.by);
    free(ways.queue);
    free(ways.done);
    return good;
}

/* Calls of the function take the first edge of the entry.  Others lead to where control
   comes again inside of a call: by computed gotos, setjmp, exceptions.  */
static void count_blocks(const struct graph *graph, uint64_t *times)
{
    __int128 *sums = buf_alloc((graph->blocks + 1) * sizeof *sums);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        sums[graph->edges[i].to] += graph->values[i];
    if (graph->edge_count && graph->edges[0].from == ENTRY)
        sums[ENTRY] = graph->values[0];
    for (uint32_t i = 0; i < graph->blocks; i++)
        times[i] = (uint64_t)saturate_signed(sums[i]);
    free(sums);
}

static bool raise(const struct arctables_function *function, int64_t *counts)
{
    bool good = true;
    for (uint32_t i = 0; i < function->arcs; i++)
        if (counts[i] < 0) {
            counts[i] = 0;
            good = false;
        }
    return good;
}

bool arcgraph_agree(const struct arctables *tables,
                    const struct arctables_function *function, int64_t *counts,
                    uint64_t *times)
{
    struct graph graph;
    if (function->blocks < 2)
        return raise(function, counts);
    graph = (struct graph){.edges = &tables->edges[function->first_edge],
                           .edge_count = (uint32_t)function->edges,
                           .blocks = function->blocks};
    graph.values = buf_alloc((graph.edge_count + 1) * sizeof *graph.values);
    graph.from = buf_alloc((graph.edge_count + 1) * sizeof *graph.from);
    for (uint32_t i = 0; i < graph.edge_count; i++)
        graph.from[i] = node_of(graph.edges[i].from);
    groups_make(&graph.out, graph.blocks, graph.from, graph.edge_count);
    derive(&graph, counts);
    bool good = mend_all(&graph);
    for (uint32_t i = 0; i < graph.edge_count; i++)
        if (graph.edges[i].counted)
            *counts++ = graph.values[i];
    if (times)
        count_blocks(&graph, times);
    free(graph.values);
    free(graph.from);
    groups_free(&graph.out);
    return good;
}
