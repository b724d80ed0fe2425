/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flowtables.h"
#include "mlprof/buf.h"
#include "mlprof/index.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

/* What reading needs beside the result.  */
struct context {
    struct flowtables *flows;
    const struct tables *tables;
    struct index ids; /* of the flows, by their numbers */
    struct reader reader;
    unsigned version; /* read last */
};

static void skip_flow(struct context *context)
{
    struct reader *reader = &context->reader;
    struct flowgraph scratch = {0};
    struct reader part = reader_part(reader, reader_u32(reader));
    if (!flowgraph_read(&scratch, &part) && !reader->wrong) {
        reader->wrong = part.wrong;
        reader->wrong_at = part.wrong_at;
    }
    flowgraph_free(&scratch);
}

static void add_flow(struct context *context, struct flowtables_flow flow)
{
    struct flowtables *flows = context->flows;
    struct reader *reader = &context->reader;
    struct reader part = reader_part(reader, reader_u32(reader));
    flows->flows = buf_grow(flows->flows, &flows->flow_capacity, flows->flow_count + 1,
                            sizeof *flows->flows);
    struct flowtables_flow *to = &flows->flows[flows->flow_count++];
    *to = flow;
    if (!flowgraph_read(&to->graph, &part) && !reader->wrong) {
        reader->wrong = part.wrong;
        reader->wrong_at = part.wrong_at;
    }
}

/* Reads a flow behind its version.  */
static void read_flow(struct context *context)
{
    struct reader *reader = &context->reader;
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
        add_flow(context, flow);
    else
        skip_flow(context);
}

/* Reads a piece with counters behind its version.  */
static void read_counters(struct context *context)
{
    struct flowtables *flows = context->flows;
    struct reader *reader = &context->reader;
    for (uint32_t left = reader_u32(reader); left > 0 && !reader->wrong; left--) {
        struct flowtables_counter counter = {.address = reader_u64(reader)};
        uint64_t id = reader_u64(reader);
        counter.edge = reader_u32(reader);
        if (reader->wrong)
            return;
        if (!index_get(&context->ids, id, 0, 0, &counter.flow))
            continue;
        if (counter.edge >= flows->flows[counter.flow].graph.edge_count) {
            reader_fail(reader, "no edge has this number");
            return;
        }
        flows->counters = buf_grow(flows->counters, &flows->counter_capacity,
                                   flows->counter_count + 1, sizeof *flows->counters);
        flows->counters[flows->counter_count++] = counter;
    }
}

static bool read_section(struct context *context, const struct elffile_section *section,
                         void (*read)(struct context *), struct fault *fault)
{
    const struct elffile *file = tables_holder(context->tables);
    struct reader *reader = &context->reader;
    reader_init(reader, section->data, section->size, file->big_endian);
    while (!reader_done(reader)) {
        size_t offset = (size_t)(reader->at - reader->begin);
        unsigned version = reader_u8(reader);
        if (version != CCPROF_TABLES_VERSION)
            return fault_set(fault, FAULT_VERSION, file->path,
                             "section %s, offset 0x%zx: tables of version %u; this "
                             "mlprof reads version %d",
                             section->name, offset, version, CCPROF_TABLES_VERSION);
        read(context);
    }
    if (reader->wrong)
        return fault_set(fault, FAULT_GARBLED, file->path, "section %s, offset 0x%zx: %s",
                         section->name, reader->wrong_at, reader->wrong);
    return true;
}

static bool read_sections(struct context *context, const char *name,
                          void (*read)(struct context *), struct fault *fault)
{
    const struct elffile *file = tables_holder(context->tables);
    for (size_t i = 0; i < file->section_count; i++)
        if (strcmp(file->sections[i].name, name) == 0 &&
            !read_section(context, &file->sections[i], read, fault))
            return false;
    return true;
}

bool flowtables_read(struct flowtables *flows, const struct tables *tables,
                     struct fault *fault)
{
    struct context context = {.flows = flows, .tables = tables};
    memset(flows, 0, sizeof *flows);
    bool good = read_sections(&context, CCPROF_SECTION_FLOW, read_flow, fault) &&
                read_sections(&context, CCPROF_SECTION_EDGE, read_counters, fault);
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
