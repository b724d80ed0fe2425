// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the edges of a flow graph that get counters, inserts the counters, and keeps
// the graphs until the end of the compilation for the section .ccprof.flow.

#include "plugin/gcc/compat.h"
#include "plugin/count/count.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/sources.h"
#include "plugin/gcc/callsite.h"
#include "plugin/count/counter.h"
#include "rt/format.h"

// The carrier (artificial.h) that keeps the bytes of a graph until the end of the unit.
// Its tag is the version of the format of these bytes.
#define CARRIER "ccprof_flow"

// Among the statements of the block that have a location, takes the last one if FROM_END
// is set, otherwise the first one. Returns its location.
static location_t location_in(basic_block bb, bool from_end)
{
    gimple_stmt_iterator gsi =
        from_end ? gsi_last_nondebug_bb(bb) : gsi_start_nondebug_bb(bb);

    while (!gsi_end_p(gsi)) {
        if (!RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi))))
            return gimple_location(gsi_stmt(gsi));
        if (from_end)
            gsi_prev_nondebug(&gsi);
        else
            gsi_next_nondebug(&gsi);
    }
    return UNKNOWN_LOCATION;
}

static location_t location_of_flow_place(const struct flow_place *place)
{
    if (place->behind)
        return gimple_location(place->behind);
    if (place->labels)
        return location_in(place->labels, false);
    if (place->on->src == ENTRY_BLOCK_PTR_FOR_FN(cfun))
        return UNKNOWN_LOCATION;
    if (!RESERVED_LOCATION_P(place->on->goto_locus))
        return place->on->goto_locus;
    location_t location = location_in(place->on->src, true);
    return RESERVED_LOCATION_P(location) ? location_in(place->on->dest, false) : location;
}

static void insert_at(const struct flow_place *place, gimple_seq statements)
{
    gimple_stmt_iterator gsi;

    if (place->on) {
        gsi_insert_seq_on_edge(place->on, statements);
    } else if (place->behind) {
        gsi = gsi_for_stmt(place->behind);
        gsi_insert_seq_after(&gsi, statements, GSI_SAME_STMT);
    } else {
        gsi = gsi_start_nondebug_after_labels_bb(place->labels);
        gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    }
}

static void insert_counters(const struct flow_graph *flow, uint64_t id,
                            const unsigned *numbers, bool calls)
{
    for (size_t i = 0; i < flow->graph.edge_count; i++) {
        if (!(flow->graph.edges[i].flags & CCPROF_EDGE_COUNTER))
            continue;
        bool is_entry = flow->choices[i].wish == SPANNING_COUNTED;
        tree counter = counter_make_for_edge(id, numbers[i], calls && is_entry);
        insert_at(&flow->places[i],
                  counter_addition(counter, location_of_flow_place(&flow->places[i])));
    }
}

// The counters of mispredictions are numbered after the counters of the edges, in the
// order of the blocks.
static void insert_predictors(struct flow_graph *flow, uint64_t id)
{
    unsigned edges = 0;

    for (size_t i = 0; i < flow->graph.edge_count; i++)
        edges += !flow->graph.edges[i].left_out;
    for (const struct flow_branch &branch : flow->predicted)
        predict_mark(branch.bb, id, edges + branch.block);
    flow->predicted.release();
}

// Keeps the graph for the tables and returns its id. Sets NUMBERS to the numbers of the
// graph's edges in the tables.
static uint64_t keep_graph(const struct flow_graph *flow, unsigned *numbers)
{
    size_t size;
    unsigned char *bytes = graph_encode(&flow->graph, numbers, &size);
    uint64_t id = graph_id(bytes, size);

    carrier_keep(CARRIER,
                 flow->graph.flags & CCPROF_FLOW_PREDICTED ? CCPROF_TABLES_MISSES
                 : flow->graph.has_ranges                  ? CCPROF_TABLES_RANGES
                                                           : CCPROF_TABLES_VERSION,
                 bytes, size);
    memory_free(bytes);
    return id;
}

static unsigned *make_numbers(const struct flow_graph *flow)
{
    return (unsigned *)memory_zeroed(flow->graph.edge_count + 1, sizeof(unsigned));
}

void flow_describe(void)
{
    tailcall_find();
    struct flow_graph *flow = flow_graph_make(false);
    unsigned *numbers = make_numbers(flow);
    keep_graph(flow, numbers);
    memory_free(numbers);
    tailcall_forget();
}

void flow_count(bool calls)
{
    tailcall_find();
    struct flow_graph *flow = flow_graph_make(true);
    struct graph *graph = &flow->graph;
    graph->flags |= calls ? 0 : CCPROF_FLOW_ENTRY;
    spanning_choose(flow->choices, graph->edge_count, graph->block_count);
    for (size_t i = 0; i < graph->edge_count; i++) {
        if (flow->choices[i].role == SPANNING_COUNTER)
            graph->edges[i].flags |= CCPROF_EDGE_COUNTER;
        graph->edges[i].left_out = flow->choices[i].role == SPANNING_NEITHER;
    }
    unsigned *numbers = make_numbers(flow);
    uint64_t id = keep_graph(flow, numbers);
    insert_counters(flow, id, numbers, calls);
    insert_predictors(flow, id);
    gsi_commit_edge_inserts();
    memory_free(numbers);
    tailcall_forget();
}

namespace
{
struct kept_flow {
    unsigned source, version;
    unsigned char *bytes;
    unsigned size;
};
} // namespace

// The graphs of the unit, from the end of LTO streaming until flow_emit.
static struct {
    struct kept_flow *flows;
    size_t flow_count, flow_room;
} kept;

static void add_flow(tree function, unsigned version, const unsigned char *bytes,
                     size_t size)
{
    struct kept_flow flow = {sources_of(function), version, NULL, (unsigned)size};

    if (!flow.source)
        return;
    flow.bytes = (unsigned char *)memory_zeroed(size, 1);
    memcpy(flow.bytes, bytes, size);
    kept.flows = (struct kept_flow *)memory_reserve(kept.flows, &kept.flow_room,
                                                    kept.flow_count + 1, sizeof flow);
    kept.flows[kept.flow_count++] = flow;
}

// Called when LTO streaming is finished.
static void take_flows(void *, void *)
{
    carrier_take(CARRIER, add_flow);
}

bool flow_any(void)
{
    return kept.flow_count > 0;
}

static void emit_flow(const struct kept_flow *flow, const char *unit)
{
    assembly_byte(flow->version);
    assembly_line(".4byte", "%s,%u", unit, flow->source);
    assembly_line(".8byte", "%#llx",
                  (unsigned long long)graph_id(flow->bytes, flow->size));
    assembly_line(".4byte", "%u", flow->size);
    assembly_bytes(flow->bytes, flow->size);
}

// Nothing refers to the section, so the linker must be told to keep it.
void flow_emit(const char *unit)
{
    if (!kept.flow_count)
        return;
    assembly_push_section(CCPROF_SECTION_FLOW, ASSEMBLY_RETAIN, "progbits", "");
    for (size_t i = 0; i < kept.flow_count; i++)
        emit_flow(&kept.flows[i], unit);
    assembly_pop_section();
}

void flow_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, take_flows, NULL);
}
