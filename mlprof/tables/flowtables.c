/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/flowtables.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/tables/contributions.h"
#include "mlprof/tables/terms.h"
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
    if (!flowgraph_read(&scratch, &slice, version) && !reader->wrong) {
        reader->wrong = slice.wrong;
        reader->wrong_at = slice.wrong_at;
    }
    flowgraph_free(&scratch);
}

static void add_flow(struct flowtables *flows, struct reader *reader, unsigned version,
                     struct flowtables_flow flow)
{
    struct reader slice = reader_slice(reader, reader_u32(reader));
    flows->flows = buf_grow(flows->flows, &flows->flow_capacity, flows->flow_count + 1,
                            sizeof *flows->flows);
    struct flowtables_flow *to = &flows->flows[flows->flow_count++];
    *to = flow;
    if (!flowgraph_read(&to->graph, &slice, version) && !reader->wrong) {
        reader->wrong = slice.wrong;
        reader->wrong_at = slice.wrong_at;
    }
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

static void add_counter(const struct context *context, struct reader *reader,
                        const struct flowtables_counter *counter)
{
    struct flowtables *flows = context->flows;
    if (counter->edge >= flows->flows[counter->flow].graph.edge_count) {
        reader_fail(reader, "no edge has this number");
        return;
    }
    flows->counters = buf_grow(flows->counters, &flows->counter_capacity,
                               flows->counter_count + 1, sizeof *flows->counters);
    flows->counters[flows->counter_count++] = *counter;
}

/* Reads the terms of one flow graph.  */
static void read_flow_terms(const struct context *context, struct terms *terms,
                            struct reader *reader)
{
    struct flowtables_counter counter = {0};
    struct terms_term term;
    uint64_t id = reader_u64(reader);
    bool known = index_get(&context->ids, id, 0, 0, &counter.flow);
    terms_start_flow(terms);
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--) {
        if (!terms_next(terms, reader, &term) || !known)
            continue;
        counter.address = term.address;
        counter.edge = term.of;
        counter.negative = term.negative;
        add_counter(context, reader, &counter);
    }
}

static void read_terms(const struct context *context, struct reader *reader)
{
    struct terms terms;
    terms_start(&terms, reader);
    for (uint64_t left = reader_uleb(reader); left > 0 && !reader->wrong; left--)
        read_flow_terms(context, &terms, reader);
}

/* Reads a contribution of counters behind its version.  */
static void read_counters(void *data, unsigned version, struct reader *reader)
{
    const struct context *context = data;
    if (version == CCPROF_TABLES_TERMS) {
        read_terms(context, reader);
        return;
    }
    for (uint32_t left = reader_u32(reader); left > 0 && !reader->wrong; left--) {
        struct flowtables_counter counter = {
            .address = reader_u64(reader), .negative = version == CCPROF_TABLES_NEGATIVE};
        uint64_t id = reader_u64(reader);
        counter.edge = reader_u32(reader);
        if (!reader->wrong && index_get(&context->ids, id, 0, 0, &counter.flow))
            add_counter(context, reader, &counter);
    }
}

bool flowtables_read(struct flowtables *flows, const struct tables *tables,
                     struct fault *fault)
{
    struct context context = {.flows = flows, .tables = tables};
    const struct elffile *file = tables_holder(tables);
    memset(flows, 0, sizeof *flows);
    bool good = contributions_read(file, CCPROF_SECTION_FLOW, CCPROF_TABLES_RANGES,
                                   read_flow, &context, fault) &&
                contributions_read(file, CCPROF_SECTION_EDGE, CCPROF_TABLES_TERMS,
                                   read_counters, &context, fault);
    index_free(&context.ids);
    return good;
}

void flowtables_free(struct flowtables *flows)
{
    for (size_t i = 0; i < flows->flow_count; i++)
        flowgraph_free(&flows->flows[i].graph);
    free(flows->flows);
    free(flows->counters);
    memset(flows, 0, sizeof *flows);
}
