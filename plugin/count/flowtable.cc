// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/flowtable.h"
#include "plugin/tables/graph.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/sources.h"
#include "rt/format.h"

// The carriers of graphs; the tag is the version of the bytes.
#define CARRIER "ccprof_flow"

namespace
{
struct flow {
    unsigned source, version;
    unsigned char *bytes;
    unsigned size;
};
} // namespace

// The graphs of the unit, from when LTO has streamed them until flowtable_emit writes
// them.
static struct {
    struct flow *flows;
    size_t flow_count, flow_room;
} kept;

void flowtable_keep(const unsigned char *bytes, size_t size, unsigned version)
{
    carrier_keep(CARRIER, version, bytes, size);
}

static void add_flow(tree function, unsigned version, const unsigned char *bytes,
                     size_t size)
{
    struct flow flow = {sources_of(function), version, NULL, (unsigned)size};

    if (!flow.source)
        return;
    flow.bytes = (unsigned char *)memory_zeroed(size, 1);
    memcpy(flow.bytes, bytes, size);
    kept.flows = (struct flow *)memory_reserve(kept.flows, &kept.flow_room,
                                               kept.flow_count + 1, sizeof flow);
    kept.flows[kept.flow_count++] = flow;
}

// All that LTO streams has been streamed.
static void take(void *, void *)
{
    carrier_take(CARRIER, add_flow);
}

bool flowtable_any(void)
{
    return kept.flow_count > 0;
}

static void emit_flow(const struct flow *flow, const char *unit)
{
    assembly_byte(flow->version);
    assembly_line(".4byte", "%s,%u", unit, flow->source);
    assembly_line(".8byte", "%#llx",
                  (unsigned long long)graph_id(flow->bytes, flow->size));
    assembly_line(".4byte", "%u", flow->size);
    assembly_bytes(flow->bytes, flow->size);
}

// Nothing refers to them, and they are to stay.
void flowtable_emit(const char *unit)
{
    if (!kept.flow_count)
        return;
    assembly_push_section(CCPROF_SECTION_FLOW, ASSEMBLY_RETAIN, "progbits", "");
    for (size_t i = 0; i < kept.flow_count; i++)
        emit_flow(&kept.flows[i], unit);
    assembly_pop_section();
}

void flowtable_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, take, NULL);
}
