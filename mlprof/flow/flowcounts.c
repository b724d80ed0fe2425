/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves the unknown edges leaf by leaf over a spanning tree (kirchhoff_solve). Counts
   that contradict each other are made consistent in arcgraph_make_consistent. */

#include "mlprof/flow/flowcounts.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/base/statistics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void solve_flow(struct flowcounts_flow *counts, struct kirchhoff_edge *edges)
{
    const struct flowgraph *graph = &counts->flow->graph;
    counts->edges = buf_alloc((graph->edges.count + 1) * sizeof *counts->edges);
    counts->blocks = buf_alloc(graph->blocks.count * sizeof *counts->blocks);
    kirchhoff_solve(edges, graph->edges.count, counts->blocks, graph->blocks.count);
    for (size_t i = 0; i < graph->edges.count; i++)
        counts->edges[i] = edges[i].count;
}

/* Returns the edges of all flow graphs of a module in one array. Sets FIRST, by flow
   graph, to the index of its first edge; the last element is the total. The caller
   frees the result. */
static struct kirchhoff_edge *make_edges(const struct flowtables *tables, size_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < tables->flows.count; i++) {
        first[i] = count;
        count += tables->flows.list[i].graph.edges.count;
    }
    first[tables->flows.count] = count;
    struct kirchhoff_edge *edges = buf_alloc((count + 1) * sizeof *edges), *edge = edges;
    for (size_t i = 0; i < tables->flows.count; i++) {
        const struct flowgraph *graph = &tables->flows.list[i].graph;
        for (size_t k = 0; k < graph->edges.count; k++)
            *edge++ = (struct kirchhoff_edge){
                .from = graph->edges.list[k].from,
                .to = graph->edges.list[k].to,
                .known = graph->edges.list[k].flags & CCPROF_EDGE_COUNTER,
            };
    }
    return edges;
}

/* Sets the mispredictions in the flow graphs of a module. LIST points to the first of
   its flow graphs. */
static void add_missed(struct flowcounts_flow *list, const struct flowtables *tables,
                       uint32_t module, const struct profile *profile)
{
    size_t *first = buf_alloc((tables->flows.count + 1) * sizeof *first), count = 0;
    for (size_t i = 0; i < tables->flows.count; i++) {
        first[i] = count;
        count += tables->flows.list[i].graph.blocks.count;
    }
    BUF_OWN int64_t *sums = flowsums_add_up(tables->missed.list, tables->missed.count,
                                            profile, module, first, count);
    for (size_t i = 0; i < tables->flows.count; i++) {
        const struct flowgraph *graph = &tables->flows.list[i].graph;
        size_t size = graph->blocks.count * sizeof *sums;
        if (!(graph->flags & CCPROF_FLOW_PREDICTED))
            continue;
        list[i].missed = buf_alloc(size);
        memcpy(list[i].missed, sums + first[i], size);
    }
    free(first);
}

static void solve_module(struct flowcounts *counts, uint32_t module,
                         const struct profile *profile)
{
    const struct flowtables *tables = &counts->tables[module];
    BUF_OWN size_t *first = buf_alloc((tables->flows.count + 1) * sizeof *first);
    BUF_OWN struct kirchhoff_edge *edges = make_edges(tables, first);
    int64_t *sums = flowsums_add_up(tables->counters.list, tables->counters.count,
                                    profile, module, first, first[tables->flows.count]);
    for (size_t i = 0; i < tables->counters.count; i++) {
        const struct edgeterms_counter *counter = &tables->counters.list[i];
        size_t number = first[counter->flow] + counter->edge;
        edges[number].count = sums[number];
        edges[number].known = true;
    }
    free(sums);
    for (size_t i = 0; i < tables->flows.count; i++) {
        struct flowcounts_flow *flow =
            &BUF_NEXT(counts->flows, counts->count, counts->capacity);
        *flow = (struct flowcounts_flow){
            .flow = &tables->flows.list[i], .module = module, .row = FLOWCOUNTS_NO_ROW};
        solve_flow(flow, edges + first[i]);
    }
    if (tables->flows.count)
        add_missed(&counts->flows[counts->count - tables->flows.count], tables, module,
                   profile);
}

static bool read_tables(struct flowcounts *counts, const struct program *program,
                        bool tolerant, struct fault *fault)
{
    counts->tables = buf_alloc((program->count + 1) * sizeof *counts->tables);
    while (counts->table_count < program->count) {
        bool is_executable = counts->table_count == 0;
        const struct tables *tables = program->tables[counts->table_count];
        struct flowtables *flows = &counts->tables[counts->table_count++];
        if (!tables || flowtables_read(flows, tables, fault))
            continue;
        if (is_executable || !tolerant)
            return false;
        flowtables_free(flows);
        fault_add(fault, "its blocks are left out");
        fault_warn(fault);
    }
    return true;
}

bool flowcounts_solve(struct flowcounts *counts, const struct profile *profile,
                      const struct program *program, bool tolerant, struct fault *fault)
{
    memset(counts, 0, sizeof *counts);
    if (!read_tables(counts, program, tolerant, fault))
        return false;
    for (uint32_t i = 0; i < counts->table_count; i++)
        solve_module(counts, i, profile);
    return true;
}

void flowcounts_free(struct flowcounts *counts)
{
    for (size_t i = 0; i < counts->count; i++) {
        free(counts->flows[i].edges);
        free(counts->flows[i].blocks);
        free(counts->flows[i].missed);
    }
    for (size_t i = 0; i < counts->table_count; i++)
        flowtables_free(&counts->tables[i]);
    free(counts->flows);
    free(counts->tables);
    memset(counts, 0, sizeof *counts);
}

int64_t flowsums_clamp(__int128 sum)
{
    return sum > FLOWSUMS_MOST    ? FLOWSUMS_MOST
           : sum < -FLOWSUMS_MOST ? -FLOWSUMS_MOST
                                  : (int64_t)sum;
}

int64_t *flowsums_add_up(const struct edgeterms_counter *counters, size_t count,
                         const struct profile *profile, uint32_t module,
                         const size_t *first, size_t edges)
{
    BUF_OWN __int128 *sums = buf_alloc((edges + 1) * sizeof *sums);
    int64_t *clamped = buf_alloc((edges + 1) * sizeof *clamped);
    for (size_t i = 0; i < count; i++) {
        const struct edgeterms_counter *counter = &counters[i];
        __int128 counted = profile_count_of(profile, module, counter->address);
        sums[first[counter->flow] + counter->edge] +=
            counter->negative ? -counted : counted;
    }
    for (size_t i = 0; i < edges; i++)
        clamped[i] = flowsums_clamp(sums[i]);
    return clamped;
}

/* The flow equation of a block. */
struct node {
    __int128 surplus; /* inflow minus outflow, over known edges */
    size_t unknown;   /* number of ends of unknown edges at the block */
    size_t edges;     /* exclusive or of the numbers of all unknown edges; if one edge is
                         unknown, its number */
};

/* Entry and exit are one node, so that the flow out of the exit goes into the entry. */
static uint32_t node_of(uint32_t block)
{
    return block == FLOWGRAPH_EXIT ? FLOWGRAPH_ENTRY : block;
}

static void add_known(struct node *nodes, const struct kirchhoff_edge *edge)
{
    nodes[node_of(edge->from)].surplus -= edge->count;
    nodes[node_of(edge->to)].surplus += edge->count;
}

static void add_unknown(struct node *node, size_t edge)
{
    node->unknown++;
    node->edges ^= edge;
}

static void drop_unknown(struct node *node, size_t edge)
{
    node->unknown--;
    node->edges ^= edge;
}

/* Computes the count of the only unknown edge of NODE from the other edges. Returns
   the node at the other end of the edge. */
static size_t solve_leaf(struct node *nodes, size_t node, struct kirchhoff_edge *edges)
{
    size_t number = nodes[node].edges;
    struct kirchhoff_edge *edge = &edges[number];
    bool leaves = node_of(edge->from) == node;
    __int128 surplus = nodes[node].surplus;
    edge->count = saturate_signed(leaves ? surplus : -surplus);
    edge->known = true;
    add_known(nodes, edge);
    drop_unknown(&nodes[node_of(edge->from)], number);
    drop_unknown(&nodes[node_of(edge->to)], number);
    return node_of(leaves ? edge->to : edge->from);
}

static void add_up_blocks(const struct kirchhoff_edge *edges, size_t edge_count,
                          int64_t *blocks, size_t block_count)
{
    for (size_t i = 0; i < block_count; i++)
        blocks[i] = 0;
    for (size_t i = 0; i < edge_count; i++) {
        __int128 count = edges[i].count;
        int64_t *entry = &blocks[FLOWGRAPH_ENTRY], *to = &blocks[edges[i].to];
        if (edges[i].from == FLOWGRAPH_ENTRY)
            *entry = saturate_signed(*entry + count);
        *to = saturate_signed(*to + count);
    }
}

void kirchhoff_solve(struct kirchhoff_edge *edges, size_t edge_count, int64_t *blocks,
                     size_t block_count)
{
    assert(block_count > FLOWGRAPH_EXIT);
    BUF_OWN struct node *nodes = buf_alloc((block_count + 1) * sizeof *nodes);
    for (size_t i = 0; i < edge_count; i++) {
        if (edges[i].known) {
            add_known(nodes, &edges[i]);
        } else {
            edges[i].count = 0;
            add_unknown(&nodes[node_of(edges[i].from)], i);
            add_unknown(&nodes[node_of(edges[i].to)], i);
        }
    }
    /* Solve the unknown edges leaf by leaf. If they can be solved, they form a
       forest. Each node becomes a leaf once, so continuing at the other end of each
       solved edge takes linear time in total. */
    for (size_t i = 0; i < block_count; i++)
        for (size_t node = i; nodes[node].unknown == 1;)
            node = solve_leaf(nodes, node, edges);
    add_up_blocks(edges, edge_count, blocks, block_count);
}

#define NONE UINT32_MAX

/* The graph being solved. Entry and exit are one node. */
struct graph {
    const struct arctables_edge *edges;
    uint32_t edge_count, blocks;
    int64_t *values;   /* by edge */
    uint32_t *from;    /* by edge: its source node */
    struct groups out; /* edges grouped by source node */
};

static uint32_t to_of(const struct graph *graph, uint32_t edge)
{
    return node_of(graph->edges[edge].to);
}

/* The arcs without a counter should form a tree. If they do not, because the table is
   damaged, the counts of some edges stay 0. */
static void solve_graph(struct graph *graph, const int64_t *counts)
{
    BUF_OWN struct kirchhoff_edge *edges =
        buf_alloc((graph->edge_count + 1) * sizeof *edges);
    BUF_OWN int64_t *blocks = buf_alloc((graph->blocks + 1) * sizeof *blocks);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct arctables_edge *edge = &graph->edges[i];
        edges[i] = (struct kirchhoff_edge){edge->from, edge->to, edge->counted,
                                           edge->counted ? *counts++ : 0};
    }
    kirchhoff_solve(edges, graph->edge_count, blocks, graph->blocks);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        graph->values[i] = edges[i].count;
}

/* Paths from one block to all others, with as few never taken edges as possible. */
struct paths {
    uint32_t *last_edge; /* by block: the last edge of the path to it, or NONE */
    uint32_t *queue;     /* blocks from FIRST up to, but not including, END */
    size_t first, end;
    bool *done;
};

/* Blocks reached by a taken edge are put at the front of the queue, all others at the
   end. */
static void find_paths(const struct graph *graph, struct paths *paths, uint32_t from)
{
    size_t middle = graph->edge_count + 1;
    for (uint32_t i = 0; i < graph->blocks; i++) {
        paths->last_edge[i] = NONE;
        paths->done[i] = false;
    }
    paths->first = middle;
    paths->end = middle;
    paths->queue[paths->end++] = from;
    while (paths->first < paths->end) {
        uint32_t block = paths->queue[paths->first++];
        if (paths->done[block])
            continue;
        paths->done[block] = true;
        for (size_t i = graph->out.first[block]; i < graph->out.first[block + 1]; i++) {
            uint32_t edge = (uint32_t)graph->out.members[i], to = to_of(graph, edge);
            bool taken = graph->values[edge] > 0;
            if (paths->done[to] || (paths->last_edge[to] != NONE && !taken))
                continue;
            paths->last_edge[to] = edge;
            if (taken)
                paths->queue[--paths->first] = to;
            else
                paths->queue[paths->end++] = to;
        }
    }
}

/* Sets EDGE, which is negative, to 0. Adds the missing amount to a path from the end
   of the edge back to its start. */
static void fix_negative_edge(struct graph *graph, struct paths *paths, uint32_t edge)
{
    __int128 missing = -(__int128)graph->values[edge];
    uint32_t start = graph->from[edge], block = start;
    graph->values[edge] = 0;
    if (start == to_of(graph, edge))
        return;
    find_paths(graph, paths, to_of(graph, edge));
    while (block != to_of(graph, edge) && paths->last_edge[block] != NONE) {
        int64_t *value = &graph->values[paths->last_edge[block]];
        *value = saturate_signed(*value + missing);
        block = graph->from[paths->last_edge[block]];
    }
}

static bool fix_negative_edges(struct graph *graph)
{
    struct paths paths = {
        .last_edge = buf_alloc((graph->blocks + 1) * sizeof *paths.last_edge),
        .queue = buf_alloc((2 * (size_t)graph->edge_count + 4) * sizeof *paths.queue),
        .done = buf_alloc((graph->blocks + 1) * sizeof *paths.done)};
    bool good = true;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (graph->values[i] < 0 && !graph->edges[i].below) {
            good = false;
            fix_negative_edge(graph, &paths, i);
        }
    free(paths.last_edge);
    free(paths.queue);
    free(paths.done);
    return good;
}

/* Calls of the function use the first edge of the entry. The other edges of the entry
   lead to places where control returns during a call: by computed gotos, setjmp,
   exceptions. */
static void count_blocks(const struct graph *graph, uint64_t *times)
{
    BUF_OWN __int128 *sums = buf_alloc((graph->blocks + 1) * sizeof *sums);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        sums[graph->edges[i].to] += graph->values[i];
    if (graph->edge_count && graph->edges[0].from == FLOWGRAPH_ENTRY)
        sums[FLOWGRAPH_ENTRY] = graph->values[0];
    for (uint32_t i = 0; i < graph->blocks; i++)
        times[i] = (uint64_t)saturate_signed(sums[i]);
}

static bool clear_negative_counts(const struct arctables_function *function,
                                  int64_t *counts)
{
    bool good = true;
    for (uint32_t i = 0; i < function->arcs; i++)
        if (counts[i] < 0) {
            counts[i] = 0;
            good = false;
        }
    return good;
}

bool arcgraph_make_consistent(const struct arctables *tables,
                              const struct arctables_function *function, int64_t *counts,
                              uint64_t *times)
{
    struct graph graph;
    if (function->blocks < 2)
        return clear_negative_counts(function, counts);
    graph = (struct graph){.edges = &tables->edges.list[function->first_edge],
                           .edge_count = (uint32_t)function->edges,
                           .blocks = function->blocks};
    graph.values = buf_alloc((graph.edge_count + 1) * sizeof *graph.values);
    graph.from = buf_alloc((graph.edge_count + 1) * sizeof *graph.from);
    for (uint32_t i = 0; i < graph.edge_count; i++)
        graph.from[i] = node_of(graph.edges[i].from);
    groups_make(&graph.out, graph.blocks, graph.from, graph.edge_count);
    solve_graph(&graph, counts);
    bool good = fix_negative_edges(&graph);
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
