/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/flowcounts.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static void solve_flow(struct flowcounts_flow *counts, struct kirchhoff_edge *edges)
{
    const struct flowgraph *graph = &counts->flow->graph;
    counts->edges = buf_alloc((graph->edge_count + 1) * sizeof *counts->edges);
    counts->blocks = buf_alloc(graph->block_count * sizeof *counts->blocks);
    counts->verdict =
        kirchhoff_solve(edges, graph->edge_count, counts->blocks, graph->block_count);
    for (size_t i = 0; i < graph->edge_count; i++)
        counts->edges[i] = edges[i].count;
}

/* The edges of all flows of a module, in one array.  FIRST has, by flow, the index of its
   first edge, and the end.  */
static struct kirchhoff_edge *make_edges(const struct flowtables *tables, size_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < tables->flow_count; i++) {
        first[i] = count;
        count += tables->flows[i].graph.edge_count;
    }
    first[tables->flow_count] = count;
    struct kirchhoff_edge *edges = buf_alloc((count + 1) * sizeof *edges), *edge = edges;
    for (size_t i = 0; i < tables->flow_count; i++) {
        const struct flowgraph *graph = &tables->flows[i].graph;
        for (size_t k = 0; k < graph->edge_count; k++)
            *edge++ = (struct kirchhoff_edge){
                .from = graph->edges[k].from,
                .to = graph->edges[k].to,
                .known = graph->edges[k].flags & CCPROF_EDGE_COUNTER,
            };
    }
    return edges;
}

/* Sets the mispredictions of the flows of a module, which begin at LIST.  */
static void add_missed(struct flowcounts_flow *list, const struct flowtables *tables,
                       uint32_t module, const struct profile *profile)
{
    size_t *first = buf_alloc((tables->flow_count + 1) * sizeof *first), count = 0;
    for (size_t i = 0; i < tables->flow_count; i++) {
        first[i] = count;
        count += tables->flows[i].graph.block_count;
    }
    int64_t *sums = flowsums_add_up(tables->missed, tables->missed_count, profile, module,
                                    first, count);
    for (size_t i = 0; i < tables->flow_count; i++) {
        const struct flowgraph *graph = &tables->flows[i].graph;
        size_t size = graph->block_count * sizeof *sums;
        if (!(graph->flags & CCPROF_FLOW_PREDICTED))
            continue;
        list[i].missed = buf_alloc(size);
        memcpy(list[i].missed, sums + first[i], size);
    }
    free(sums);
    free(first);
}

static void solve_module(struct flowcounts *counts, uint32_t module,
                         const struct profile *profile)
{
    const struct flowtables *tables = &counts->tables[module];
    BUF_OWN size_t *first = buf_alloc((tables->flow_count + 1) * sizeof *first);
    BUF_OWN struct kirchhoff_edge *edges = make_edges(tables, first);
    int64_t *sums = flowsums_add_up(tables->counters, tables->counter_count, profile,
                                    module, first, first[tables->flow_count]);
    for (size_t i = 0; i < tables->counter_count; i++) {
        const struct edgeterms_counter *counter = &tables->counters[i];
        size_t number = first[counter->flow] + counter->edge;
        edges[number].count = sums[number];
        edges[number].known = true;
    }
    free(sums);
    for (size_t i = 0; i < tables->flow_count; i++) {
        struct flowcounts_flow *flow =
            &BUF_NEXT(counts->flows, counts->count, counts->capacity);
        *flow = (struct flowcounts_flow){
            .flow = &tables->flows[i], .module = module, .row = FLOWCOUNTS_NO_ROW};
        solve_flow(flow, edges + first[i]);
    }
    if (tables->flow_count)
        add_missed(&counts->flows[counts->count - tables->flow_count], tables, module,
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
        fault_tell(fault);
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
    __int128 *sums = buf_alloc((edges + 1) * sizeof *sums);
    int64_t *clamped = buf_alloc((edges + 1) * sizeof *clamped);
    for (size_t i = 0; i < count; i++) {
        const struct edgeterms_counter *counter = &counters[i];
        __int128 counted = profile_count_of(profile, module, counter->address);
        sums[first[counter->flow] + counter->edge] +=
            counter->negative ? -counted : counted;
    }
    for (size_t i = 0; i < edges; i++)
        clamped[i] = flowsums_clamp(sums[i]);
    free(sums);
    return clamped;
}
