/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/flowtables.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/tables/contributions.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

/* The context of reading.  */
struct context {
    struct flowtables *flows;
    const struct tables *tables;
    struct index ids; /* number of the flow by id */
};

static void skip_flow(struct reader *reader, unsigned version)
{
    struct flowgraph scratch = {0};
    struct reader slice = reader_slice(reader, reader_u32(reader));
    flowgraph_read(&scratch, &slice, version);
    reader_take_error(reader, &slice);
    flowgraph_free(&scratch);
}

static void add_flow(struct flowtables *flows, struct reader *reader, unsigned version,
                     struct flowtables_flow flow)
{
    struct reader slice = reader_slice(reader, reader_u32(reader));
    struct flowtables_flow *to =
        &BUF_NEXT(flows->flows, flows->flow_count, flows->flow_capacity);
    *to = flow;
    flowgraph_read(&to->graph, &slice, version);
    reader_take_error(reader, &slice);
}

/* Reads a flow behind its version.  */
static void read_flow(void *data, unsigned version, struct reader *reader)
{
    struct context *context = data;
    struct flowtables_flow flow = {0};
    uint32_t offset = reader_u32(reader);
    if (reader->wrong)
        return;
    flow.unit = tables_unit_at(context->tables, offset);
    if (!flow.unit) {
        reader_fail(reader, "no unit at this offset");
        return;
    }
    flow.source = reader_u32(reader);
    if (!reader->wrong && (flow.source == 0 || flow.source > flow.unit->source_count))
        reader_fail(reader, "no source has this number");
    flow.id = reader_u64(reader);
    if (reader->wrong)
        return;
    bool fresh;
    index_put(&context->ids, flow.id, 0, 0, &fresh);
    if (fresh)
        add_flow(context->flows, reader, version, flow);
    else
        skip_flow(reader, version);
}

/* Numbers behind those of the edges are blocks' whose branches are predicted.  */
static void add_missed(struct flowtables *flows, struct reader *reader,
                       struct edgeterms_counter counter)
{
    const struct flowgraph *graph = &flows->flows[counter.flow].graph;
    counter.edge -= (uint32_t)graph->edge_count;
    if (!(graph->flags & CCPROF_FLOW_PREDICTED)) {
        reader_fail(reader, "no edge has this number");
        return;
    }
    if (counter.edge >= graph->block_count ||
        graph->blocks[counter.edge].branch == CCPROF_BRANCH_NONE) {
        reader_fail(reader, "no edge and no branch has this number");
        return;
    }
    BUF_NEXT(flows->missed, flows->missed_count, flows->missed_capacity) = counter;
}

static void add_counter(void *data, struct reader *reader,
                        const struct edgeterms_counter *counter)
{
    struct flowtables *flows = data;
    if (counter->edge >= flows->flows[counter->flow].graph.edge_count) {
        add_missed(flows, reader, *counter);
        return;
    }
    BUF_NEXT(flows->counters, flows->counter_count, flows->counter_capacity) = *counter;
}

bool flowtables_read(struct flowtables *flows, const struct tables *tables,
                     struct fault *fault)
{
    struct context context = {.flows = flows, .tables = tables};
    const struct elffile *file = tables_holder(tables);
    memset(flows, 0, sizeof *flows);
    bool good = contributions_read(file, CCPROF_SECTION_FLOW, CCPROF_TABLES_MISSES,
                                   read_flow, &context, fault) &&
                edgeterms_read(file, &context.ids, add_counter, flows, fault);
    index_free(&context.ids);
    return good;
}

void flowtables_free(struct flowtables *flows)
{
    for (size_t i = 0; i < flows->flow_count; i++)
        flowgraph_free(&flows->flows[i].graph);
    free(flows->flows);
    free(flows->counters);
    free(flows->missed);
    memset(flows, 0, sizeof *flows);
}
