/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/flowtables.h"
#include "mlprof/base/buf.h"
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

/* The key of a local symbol's compilation.  */
static uint64_t compilation(struct flowsymbols *symbols,
                            const struct flowtables_flow *flow)
{
    uint64_t input = intern_put(&symbols->texts, flow->graph.input);
    uint64_t directory = intern_put(&symbols->texts, flow->unit->directory);
    return (input << 32 | directory) + 1;
}

/* LOCAL is the key of the compilation, or 0.  */
static void put(struct flowsymbols *symbols, const char *symbol, uint64_t local,
                uint32_t module, uint32_t function)
{
    bool fresh;
    uint32_t text = intern_put(&symbols->texts, symbol);
    uint32_t number =
        index_put(&symbols->symbols, text, local, local ? module : 0, &fresh);
    if (!fresh)
        return;
    BUF_AT(symbols->functions, number, symbols->capacity) = function;
}

void flowsymbols_put(struct flowsymbols *symbols, const struct flowtables_flow *flow,
                     uint32_t module, uint32_t function)
{
    const struct flowgraph *graph = &flow->graph;
    bool is_local = graph->flags & CCPROF_FLOW_LOCAL;
    put(symbols, graph->symbol, is_local ? compilation(symbols, flow) : 0, module,
        function);
    for (size_t i = 0; i < graph->alias_count; i++)
        put(symbols, graph->aliases[i], 0, module, function);
}

bool flowsymbols_get(struct flowsymbols *symbols, const struct flowtables_flow *flow,
                     uint32_t module, const char *symbol, uint32_t *function)
{
    uint32_t text = intern_put(&symbols->texts, symbol), number;
    if (!index_get(&symbols->symbols, text, compilation(symbols, flow), module,
                   &number) &&
        !index_get(&symbols->symbols, text, 0, 0, &number))
        return false;
    *function = symbols->functions[number];
    return true;
}

void flowsymbols_free(struct flowsymbols *symbols)
{
    intern_free(&symbols->texts);
    index_free(&symbols->symbols);
    free(symbols->functions);
    memset(symbols, 0, sizeof *symbols);
}
