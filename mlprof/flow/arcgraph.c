/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/arcgraph.h"
#include "mlprof/base/buf.h"
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
    int64_t *values; /* by edge */
    bool *known;
    /* The edges at each block, those of block I from FIRST[I] up to but not FIRST[I + 1],
       with those from it in front of those to it.  */
    uint32_t *first, *leaving, *at;
};

static uint32_t node_of(uint32_t block)
{
    return block == EXIT ? ENTRY : block;
}

static uint32_t from_of(const struct graph *graph, uint32_t edge)
{
    return node_of(graph->edges[edge].from);
}

static uint32_t to_of(const struct graph *graph, uint32_t edge)
{
    return node_of(graph->edges[edge].to);
}

static void find_edges(struct graph *graph)
{
    uint32_t blocks = graph->blocks, count = graph->edge_count;
    graph->first = buf_alloc((blocks + 2) * sizeof *graph->first);
    graph->leaving = buf_alloc((blocks + 1) * sizeof *graph->leaving);
    graph->at = buf_alloc((2 * (size_t)count + 1) * sizeof *graph->at);
    for (uint32_t i = 0; i < count; i++) {
        graph->first[from_of(graph, i) + 1]++;
        graph->first[to_of(graph, i) + 1]++;
        graph->leaving[from_of(graph, i)]++;
    }
    for (uint32_t i = 0; i < blocks; i++) {
        graph->first[i + 1] += graph->first[i];
        graph->leaving[i] += graph->first[i];
    }
    uint32_t *next = buf_alloc((2 * (size_t)blocks + 1) * sizeof *next);
    for (uint32_t i = 0; i < blocks; i++) {
        next[2 * i] = graph->first[i];
        next[2 * i + 1] = graph->leaving[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        graph->at[next[2 * from_of(graph, i)]++] = i;
        graph->at[next[2 * to_of(graph, i) + 1]++] = i;
    }
    free(next);
}

static void start(struct graph *graph, const struct arctables *tables,
                  const struct arctables_function *function, const int64_t *counts)
{
    *graph = (struct graph){.edges = &tables->edges[function->first_edge],
                            .edge_count = (uint32_t)function->edges,
                            .blocks = function->blocks};
    graph->values = buf_alloc((graph->edge_count + 1) * sizeof *graph->values);
    graph->known = buf_alloc((graph->edge_count + 1) * sizeof *graph->known);
    find_edges(graph);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].counted) {
            graph->values[i] = *counts++;
            graph->known[i] = true;
        }
}

static void end(struct graph *graph)
{
    free(graph->values);
    free(graph->known);
    free(graph->first);
    free(graph->leaving);
    free(graph->at);
}

/* The edge at the block that is not known, of which there is one; *VALUE is what it must
   have.  An edge from the block to itself adds nothing.  */
static uint32_t last_unknown(const struct graph *graph, uint32_t block, int64_t *value)
{
    uint32_t found = NONE;
    __int128 in = 0, out = 0;
    for (uint32_t i = graph->first[block]; i < graph->first[block + 1]; i++) {
        uint32_t edge = graph->at[i];
        if (!graph->known[edge])
            found = edge;
        else if (i < graph->leaving[block])
            out += graph->values[edge];
        else
            in += graph->values[edge];
    }
    *value = saturate_signed(from_of(graph, found) == block ? in - out : out - in);
    return found;
}

/* What is not counted is a tree: there is always a block with one such edge.  Without
   one, in a damaged table, edges stay 0.  */
static void derive(struct graph *graph)
{
    uint32_t *unknown = buf_alloc((graph->blocks + 1) * sizeof *unknown);
    uint32_t *blocks = buf_alloc((2 * (size_t)graph->blocks + 1) * sizeof *blocks);
    size_t count = 0;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (!graph->known[i]) {
            unknown[from_of(graph, i)]++;
            unknown[to_of(graph, i)]++;
        }
    for (uint32_t i = 0; i < graph->blocks; i++)
        if (unknown[i] == 1)
            blocks[count++] = i;
    while (count > 0) {
        uint32_t block = blocks[--count];
        if (unknown[block] != 1)
            continue;
        int64_t value;
        uint32_t edge = last_unknown(graph, block, &value);
        uint32_t other =
            from_of(graph, edge) == block ? to_of(graph, edge) : from_of(graph, edge);
        graph->values[edge] = value;
        graph->known[edge] = true;
        unknown[block]--;
        if (--unknown[other] == 1)
            blocks[count++] = other;
    }
    free(unknown);
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
        for (uint32_t i = graph->first[block]; i < graph->leaving[block]; i++) {
            uint32_t edge = graph->at[i], to = to_of(graph, edge);
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
    uint32_t start = from_of(graph, edge), block = start;
    graph->values[edge] = 0;
    if (start == to_of(graph, edge))
        return;
    find_ways(graph, ways, to_of(graph, edge));
    while (block != to_of(graph, edge) && ways->by[block] != NONE) {
        int64_t *value = &graph->values[ways->by[block]];
        *value = saturate_signed(*value + missing);
        block = from_of(graph, ways->by[block]);
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
    start(&graph, tables, function, counts);
    derive(&graph);
    bool good = mend_all(&graph);
    for (uint32_t i = 0; i < graph.edge_count; i++)
        if (graph.edges[i].counted)
            *counts++ = graph.values[i];
    if (times)
        count_blocks(&graph, times);
    end(&graph);
    return good;
}
